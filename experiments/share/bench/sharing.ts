import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Observation } from '../../../ground/records/observation.ts';
import { eachObservation } from '../../../ground/records/read.ts';
import { projectFolder } from '../../../ground/system/folders.mjs';
import { withTemporaryFolder } from '../../../ground/system/temporary-folder.ts';
import { readOptions } from '../../../runner/bench/harness/options.ts';
import { loadText, printRow } from '../../../runner/bench/harness/table.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { HTTP1 } from '../../../test/e2e/stacks-by-protocol.ts';
import { share } from '../experiment.ts';
import type { Flow, SharingDetails } from '../records.ts';

const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');

const PARTS: Readonly<Record<string, readonly string[]>> = {
  control: ['--flows', 'bun-h2:2'],
  quarter: ['--flows', `bun-h2:1,${HTTP1.stack}:3`],
  quic: ['--flows', 'lsquic-h3:1,bun-h2:1', '--queue-bdp', '0.5,1,2'],
  start: ['--flows', 'lsquic-h3:1,bun-h2:1', '--start-gap', '5'],
};

type SharedRow = Observation<SharingDetails>;

const values = readOptions(
  'Measures how flows share a link. --only names one part: control, quarter, quic, start.',
  {
    only: { type: 'string' },
    down: { type: 'string', default: '10000' },
    rtt: { type: 'string', default: '30' },
    duration: { type: 'string', default: '30' },
    repetitions: { type: 'string', default: '20' },
  },
);

console.log(
  `${values.down} kbit/s, ${values.rtt} ms, ${values.repetitions} repetitions of ${values.duration} s; load ${loadText()}`,
);
for (const [part, words] of Object.entries(PARTS)) {
  if (values.only === undefined || values.only === part) await printPart(part, words);
}

/** Mean and range of each flow's share, and the queue. */
async function printPart(part: string, words: readonly string[]): Promise<void> {
  const rows = await runShared(words);
  console.log(`\n${part}: ${words.join(' ')}`);
  // Without a start gap the order of flows is random, and within ms.
  const isApart = words.includes('--start-gap');
  printRow([
    'network',
    'flow',
    'n',
    'mean share',
    'least',
    'most',
    ...(isApart ? ['as first'] : []),
    'Jain',
    'queue, ms',
  ]);
  const flows = rows.flatMap((row) =>
    (row.details?.flows ?? []).map((flow) => ({
      row,
      flow,
      key: `${row.network.name} ${flow.flow}`,
    })),
  );
  for (const own of Map.groupBy(flows, ({ key }) => key).values()) {
    const [first] = own;
    const shares = sharesOf(own.map(({ flow }) => flow));
    const asFirst = sharesOf(own.map(({ flow }) => flow).filter((flow) => flow.startOrder === 1));
    const ofTrial = (metric: string) => median(own.flatMap(({ row }) => row.metrics[metric] ?? []));
    printRow([
      first?.row.network.name ?? '',
      first?.flow.flow ?? '',
      `${shares.length}`,
      percentText(mean(shares)),
      percentText(Math.min(...shares)),
      percentText(Math.max(...shares)),
      ...(isApart ? [percentText(mean(asFirst))] : []),
      ofTrial('jainIndex')?.toFixed(3) ?? '-',
      ofTrial('queueMs')?.toFixed(1) ?? '-',
    ]);
  }
  const queues = rows.flatMap(({ details }) => details?.queue ?? []);
  const above = queues.filter(({ mostBytes, setBytes }) => mostBytes > setBytes).length;
  console.log(`queue above its limit: ${above} of ${queues.length}`);
}

function sharesOf(flows: readonly Flow[]): number[] {
  return flows.flatMap(({ sharePercent }) => sharePercent ?? []);
}

function percentText(percent: number | null): string {
  return percent === null ? '-' : `${percent.toFixed(1)} %`;
}

function runShared(words: readonly string[]): Promise<SharedRow[]> {
  return withTemporaryFolder('logs', async (folder) => {
    const out = path.join(folder, 'run');
    const { down, rtt, duration, repetitions } = values;
    await run([
      ...['share', '--down', down, '--rtt', rtt, '--duration', duration],
      ...['--repetitions', repetitions, ...words, '--out', out],
    ]);
    const rows: SharedRow[] = [];
    for await (const row of eachObservation(out, share, () => {})) rows.push(row as SharedRow);
    return rows;
  });
}

async function run(words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderrText = '';
  child.stderr.on('data', (text) => {
    stderrText = `${stderrText}${text}`.slice(-2000);
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0)
    throw new Error(`quic-vs-https ${words.join(' ')} ended with ${status}:\n${stderrText}`);
}
