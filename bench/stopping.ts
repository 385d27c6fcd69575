import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { printRow } from './harness/table.ts';
import { SCENARIOS } from './stopping/scenarios.ts';
import { simulate } from './stopping/simulated-run.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 10) {
  throw new Error(`--runs ${values.runs}: expected a whole number from 10`);
}

console.log(`${runs} simulated runs of each kind, ${availableParallelism()} processors`);
for (const subjects of [1, 4, 30]) {
  console.log(`\n${subjects} ${subjects === 1 ? 'page' : 'pages'}`);
  printRow(['', 'wrong', 'covered', 'told', 'repetitions']);
  for (const scenario of SCENARIOS) {
    const { wrong, covered, told, repetitions } = simulate(scenario, subjects, runs);
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    printRow([
      scenario.name,
      percent(wrong),
      percent(covered),
      percent(told),
      repetitions.toFixed(1),
    ]);
  }
}
