import { availableParallelism } from 'node:os';
import { readOptions } from '../../runner/bench/harness/options.ts';
import { printRow } from '../../runner/bench/harness/table.ts';
import { SCENARIOS, simulate } from './stopping/simulated-run.ts';

const values = readOptions('Simulates runs that stop by the rule, and counts wrong verdicts.', {
  runs: { type: 'string', default: '2000' },
  pages: { type: 'string', default: '1,4,30' },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 10) {
  throw new Error(`--runs ${values.runs}: expected a whole number from 10`);
}
const pages = values.pages.split(',').map(Number);
if (!pages.every((each) => Number.isInteger(each) && each >= 1)) {
  throw new Error(`--pages ${values.pages}: expected whole numbers from 1, for example 1,4`);
}

console.log(`${runs} simulated runs of each kind, ${availableParallelism()} processors`);
for (const subjects of pages) {
  console.log(`\n${subjects} ${subjects === 1 ? 'page' : 'pages'}`);
  printRow([
    '',
    'wrong',
    'further',
    'at once',
    'covered',
    'decided',
    'repetitions',
    'half-width',
    'exaggerated',
  ]);
  for (const scenario of SCENARIOS) {
    const outcome = simulate(scenario, subjects, runs);
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    const { halfWidthPercent, exaggeration } = outcome;
    printRow([
      scenario.name,
      percent(outcome.wrong),
      percent(outcome.further),
      percent(outcome.furtherAtOnce),
      percent(outcome.covered),
      percent(outcome.decided),
      outcome.repetitions.toFixed(1),
      `${halfWidthPercent.toFixed(1)} %`,
      exaggeration === null ? '' : exaggeration.toFixed(2),
    ]);
  }
}
