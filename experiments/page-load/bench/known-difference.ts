import path from 'node:path';
import { siteFolder } from '../../../cache/catalogue.ts';
import { conditionKey, subjectConditionKey } from '../../../ground/records/cell.ts';
import { withTemporaryFolder } from '../../../ground/system/temporary-folder.ts';
import { blocksOf } from '../../../report/summary/blocks.ts';
import { readRecords } from '../../../report/summary/measured-run.ts';
import { conditionsPlanned } from '../../../report/summary/primary-questions.ts';
import { attemptsOf, withRun } from '../../../runner/bench/attempts.ts';
import { readOptions } from '../../../runner/bench/harness/options.ts';
import { fixed, printRow } from '../../../runner/bench/harness/table.ts';
import { isSetUp } from '../../../runner/machine.ts';
import { blocksPerRound } from '../../../runner/schedule.ts';
import { bunH2 } from '../../../servers/bun-h2/stack.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { standardDeviation } from '../../../statistics/standard-deviation.ts';
import { verdictMetric } from '../../index.ts';
import { pageLoad } from '../experiment.ts';
import { writeDelayedServer } from './known-difference/delayed-server.ts';
import {
  type Answer,
  countAnswers,
  noiseOf,
  ofRuns,
  type PageNoise,
  simulateRuns,
} from './known-difference/recorded-noise.ts';

// How often a run finds a known difference, and how often its verdict is wrong: two builds of one server, of which one delays its
// document.
const values = readOptions(
  'Counts how often a run finds a known difference, and how often its verdict is wrong.',
  {
    site: { type: 'string', default: 'www.wikipedia.org' },
    percent: { type: 'string', default: '0,5,10' },
    rtt: { type: 'string', default: '0,30' },
    runs: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '40' },
    repetitions: { type: 'string' },
    noise: { type: 'string' },
    pairs: { type: 'string', default: '12,24,48' },
    simulations: { type: 'string', default: '1000' },
  },
);
const percents = numbersOf('percent', values.percent, 0, 100);
const MARGIN_PERCENT = 5;
const HEADING = [
  'runs',
  'decided',
  'slower',
  'faster',
  'same',
  'wrong',
  'outside',
  'ratio',
  'pairs',
];

if (values.noise === undefined) await measure();
else await simulate(values.noise);

async function measure(): Promise<void> {
  const { site } = values;
  const rttsMs = numbersOf('rtt', values.rtt, 0, 10_000);
  const runs = wholeOf('runs', values.runs);
  const length =
    values.repetitions === undefined
      ? ['--budget', `${wholeOf('seconds', values.seconds)}s`]
      : ['--repetitions', String(wholeOf('repetitions', values.repetitions))];
  if (!isSetUp(bunH2)) throw new Error(`${bunH2.stack} is not set up: npm run setup`);
  await withTemporaryFolder('logs', async (folder) => {
    const servers = new Map<string, Delayed>();
    for (const rttMs of rttsMs) {
      const pageMs = await usualMs(site, rttMs);
      for (const percent of percents) {
        const delayMs = Math.round((pageMs * percent) / 100);
        const own = path.join(folder, `${rttMs}-${percent}`);
        const program = await writeDelayedServer(siteFolder(site), own, delayMs);
        servers.set(`${rttMs} ${percent}`, { program, delayMs, pageMs });
      }
    }
    const old = await writeDelayedServer(siteFolder(site), path.join(folder, 'old'), 0);
    const found = new Map<string, Found>();
    for (let run = 0; run < runs; run++) {
      for (const rttMs of rttsMs) {
        // Rotates, so that slow drift of the machine affects all differences alike.
        for (const [index] of percents.entries()) {
          const percent = percents[(index + run) % percents.length] as number;
          const key = `${rttMs} ${percent}`;
          const { program } = servers.get(key) as Delayed;
          const { answers = [], baselineMs = [] } = found.get(key) ?? {};
          const words = [
            ...['--sites', site, '--rtt', String(rttMs), '--hars', 'none', ...length],
            ...['--server', `old=${old}`, '--server', `new=${program}`],
            ...['--stacks', 'new-h2,old-h2', '--baseline', 'old-h2'],
            ...['--margin', String(MARGIN_PERCENT)],
          ];
          const measured = await withRun(pageLoad, words, answerOf);
          found.set(key, {
            answers: [...answers, measured.answer],
            baselineMs: [...baselineMs, ...measured.baselineMs],
          });
        }
      }
    }
    console.log(`\n${site}, ${runs} runs of each kind with ${length.join(' ')}`);
    printRow(['', 'delay ms', 'true ratio', ...HEADING]);
    for (const rttMs of rttsMs) {
      for (const percent of percents) {
        const key = `${rttMs} ${percent}`;
        const { answers, baselineMs } = found.get(key) as Found;
        const { delayMs, pageMs } = servers.get(key) as Delayed;
        // Uses times of the runs, because the machine may have been faster before; `pageMs` if no load fit into the runs.
        const ratio = 1 + delayMs / (median(baselineMs) ?? pageMs);
        printRow([
          `${rttMs} ms, ${percent} %`,
          String(delayMs),
          fixed(ratio, 3),
          ...cellsOf(answers, ratio),
        ]);
      }
    }
  });
}

interface Delayed {
  program: string;
  delayMs: number;
  /** Page load time without the delay, before the runs. */
  pageMs: number;
}

interface Found {
  answers: Answer[];
  /** Page load times of the server without a delay. */
  baselineMs: number[];
}

/** Median page load time without a delay, in ms. */
async function usualMs(site: string, rttMs: number): Promise<number> {
  const attempts = await attemptsOf(pageLoad, [
    ...['--sites', site, '--stacks', bunH2.stack, '--rtt', String(rttMs)],
    ...['--repetitions', '12', '--hars', 'none'],
  ]);
  const ms = median(attempts.flatMap(({ metrics }) => metrics.pageLoadMs ?? []));
  if (ms === null) throw new Error(`no load of ${site} by ${bunH2.stack} over ${rttMs} ms was ok`);
  return ms;
}

async function answerOf(folder: string): Promise<{ answer: Answer; baselineMs: number[] }> {
  const { summary, observations } = (await readRecords(folder)).summariseWith({});
  const [primary] = summary.primary;
  if (!primary) throw new Error(`the run in ${folder} has no answer`);
  const counted = observations.filter(({ warmup, arm }) => !warmup && arm === primary.baseline);
  return {
    answer: primary,
    baselineMs: counted.flatMap(({ metrics }) => metrics.pageLoadMs ?? []),
  };
}

/** Simulates such runs from the variation of the pairs of a recorded run, which includes that of its path. */
async function simulate(folder: string): Promise<void> {
  const { run, observations, summary } = await read(folder);
  const runs = wholeOf('simulations', values.simulations);
  const blocks = blocksOf(run, observations, summary.machines);
  const metric = verdictMetric(summary);
  const pairsPerStart = blocksPerRound(run.arms.length);
  for (const { arm, baseline } of summary.analysis.pairs) {
    for (const { network, variant } of conditionsPlanned(run)) {
      const pages = run.subjects.flatMap(({ subject }) => {
        const own = blocks.get(subjectConditionKey({ subject, network, variant })) ?? [];
        const noise = noiseOf(own, metric, [arm, baseline]);
        return noise ? [{ subject, noise }] : [];
      });
      if (pages.length === 0) continue;
      console.log(
        `\n${conditionKey({ network: network.name, variant })}: noise of ${arm} / ${baseline}, ${runs} simulated runs of each kind`,
      );
      printRow(['', 'pairs of a page', 'longer by', 'noise %', ...HEADING]);
      const all = pages.map(({ noise }) => noise);
      for (const { subject, noise } of pages) printSimulated(subject, [noise], pairsPerStart, runs);
      if (pages.length > 1) printSimulated(`all ${pages.length}`, all, pairsPerStart, runs);
    }
  }
}

function printSimulated(
  name: string,
  pages: readonly PageNoise[],
  pairsPerStart: number,
  runs: number,
): void {
  const noisePercent = mean(pages.map((page) => 100 * (standardDeviation(page.flat()) ?? 0)));
  for (const pairs of numbersOf('pairs', values.pairs, 6, 1000)) {
    for (const percent of percents) {
      const ratio = 1 + percent / 100;
      const answers = simulateRuns(pages, {
        ...{ pairs, pairsPerStart, ratio, runs, seed: 1 },
        marginPercent: MARGIN_PERCENT,
      });
      printRow([
        name,
        String(pairs),
        `${percent} %`,
        fixed(noisePercent),
        ...cellsOf(answers, ratio),
      ]);
    }
  }
}

function cellsOf(answers: readonly Answer[], ratio: number): string[] {
  const counts = countAnswers(answers, { ratio, marginPercent: MARGIN_PERCENT });
  const { runs, decided, slower, faster, same, wrong, outside, medianRatio, medianPairs } = counts;
  return [
    String(runs),
    ofRuns(decided, runs),
    ...[slower, faster, same, wrong, outside].map(String),
    fixed(medianRatio, 3),
    fixed(medianPairs, 0),
  ];
}

async function read(folder: string) {
  try {
    return (await readRecords(folder)).summariseWith({});
  } catch (error) {
    throw new Error(`--noise ${folder}: expected the folder of a run of page loads`, {
      cause: error,
    });
  }
}

function numbersOf(name: string, text: string, least: number, most: number): number[] {
  const numbers = text.split(',').map(Number);
  if (numbers.every((each) => each >= least && each <= most)) return numbers;
  throw new Error(
    `--${name} ${text}: expected numbers from ${least} to ${most} separated by commas`,
  );
}

function wholeOf(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 100_000) return number;
  throw new Error(`--${name} ${text}: expected a whole number from 1 to 100000`);
}
