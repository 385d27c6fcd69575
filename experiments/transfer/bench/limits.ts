import { bytesText, decimalText } from '../../../kit/text/number.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import type { Path } from '../../../network/path.ts';
import { loadText } from '../../../runner/bench/harness/table.ts';
import { median } from '../../../statistics/median.ts';
import { quantile } from '../../../statistics/quantile.ts';
import { type PickIndex, seededPick } from '../../../statistics/random.ts';
import { HTTP1 } from '../../../test/e2e/stacks-by-protocol.ts';
import { limitedByOf } from '../limits/model.ts';
import { LIMITS, type Limit, type LimitedBy } from '../records.ts';
import { relaxLimit } from '../relaxation.ts';
import { judgeTransfer } from '../test/e2e/judged-transfers.ts';
import {
  LIMITED_TRANSFERS,
  type LimitedTransfer,
  limitedQuicTransfers,
  QUIC_STACKS,
} from '../test/e2e/limited-transfers.ts';
import {
  type Special,
  type TransferBench,
  withTransferPath,
  withTransfers,
} from '../test/e2e/watched-transfers.ts';

async function measureKnown(path: Path): Promise<void> {
  console.log(
    '| stack | size | condition | made scarce | limit found | share of the time | total |',
  );
  console.log('|---|---|---|---|---|---|---|');
  let right = 0;
  for (const limited of LIMITED_TRANSFERS) {
    await withTransfers(path, limited, async ({ transfer }) => {
      // Warms both programs up.
      await transfer({ ...limited.special, network: {} });
      const { observed, made } = await transfer(limited.special);
      const found = observed && limitedByOf(observed);
      if (found?.limit === limited.limit) right++;
      print(limited, found?.limit ?? null, found?.observed ?? {}, made.error?.reason ?? null);
    });
  }
  console.log(`\n${right} of ${LIMITED_TRANSFERS.length} found correctly`);
}

function print(
  { stack, bytes, special, limit }: LimitedTransfer,
  found: Limit | null,
  seen: Readonly<Record<string, number | null>>,
  error: string | null,
): void {
  const cells = [
    stack,
    bytesText(bytes),
    conditionText(special),
    limit,
    foundText(found, limit),
    error ?? sharesText(seen),
    `${decimalText(seen.totalMs ?? 0, 0)} ms`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

const SOURCES = ['ownSamples', 'packetsWithKeys', 'packetsWithoutKeys'] as const;

/** Prints the limits of QUIC transfers by the sender's own samples, its packets with keys, and without. */
async function measureByPackets(path: Path): Promise<void> {
  console.log(
    '| stack | size | condition | made scarce | own samples | packets with keys | packets without keys | share of the time |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  const sums: string[] = [];
  for (const stack of QUIC_STACKS) {
    const right = { ownSamples: 0, packetsWithKeys: 0, packetsWithoutKeys: 0, agree: 0 };
    const transfers = limitedQuicTransfers(stack);
    for (const limited of transfers) {
      const judged = await judgeTransfer(path, limited);
      const found = SOURCES.map((source) => judged[source]);
      for (const source of SOURCES)
        right[source] += Number(judged[source]?.limit === limited.limit);
      right.agree += Number(judged.ownSamples?.limit === judged.packetsWithKeys?.limit);
      const cells = [
        stack,
        bytesText(limited.bytes),
        conditionText(limited.special),
        limited.limit,
        ...found.map((each) => (each ? foundText(each.limit, limited.limit) : '')),
        judged.error ?? sharesText(judged.packetsWithKeys?.observed ?? {}),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
    const { ownSamples, packetsWithKeys, packetsWithoutKeys, agree } = right;
    const own =
      ownSamples > 0 ? `, ${ownSamples} by own samples (${agree} agree with packets)` : '';
    sums.push(
      `${stack}: ${packetsWithKeys} of ${transfers.length} right by packets with keys, ${packetsWithoutKeys} without${own}`,
    );
  }
  console.log(`\n${sums.join('\n')}`);
}

function foundText(found: Limit | null, limit: Limit): string {
  return found === limit ? found : `**${found ?? 'unknown'}**`;
}

/** Prints the cost of capturing packets: total times with and without, alternating. */
async function measureCaptureCost(path: Path): Promise<void> {
  console.log('| stack | captured by not captured, median | quartiles |');
  console.log('|---|---|---|');
  for (const stack of QUIC_STACKS) {
    await withTransfers(path, { stack, bytes: BYTES }, (plain) =>
      withTransfers(path, { stack, bytes: BYTES, captures: true }, async (captured) => {
        const timeOf =
          ({ transfer }: TransferBench) =>
          async () =>
            (await transfer()).made.lastByteMs ?? Number.NaN;
        printRatios(stack, await ratiosOf(timeOf(captured), timeOf(plain)));
      }),
    );
  }
}

const STACKS = ['lsquic-h3', 'bun-h2', HTTP1.stack];
/** Size of transfers over a path without a rate, where the processor is the limit and the cost of watching shows. */
const BYTES = 20_000_000;
const PAIRS = 30;

/** Prints the cost of watching: total times with and without, alternating. */
async function measureWatchingCost(path: Path): Promise<void> {
  console.log('| stack | watched by unwatched, median | quartiles |');
  console.log('|---|---|---|');
  for (const stack of STACKS) {
    await withTransfers(path, { stack, bytes: BYTES }, (watched) =>
      withTransfers(path, { stack, bytes: BYTES, isSampled: false }, async (unwatched) => {
        const ratios = await ratiosOf(
          async () => (await watched.transfer()).made.lastByteMs ?? Number.NaN,
          async () => (await unwatched.unwatched()).lastByteMs ?? Number.NaN,
        );
        printRatios(stack, ratios);
      }),
    );
  }
}

/** Ratios of two times, in pairs of alternating order after a warm-up. */
async function ratiosOf(
  withIt: () => Promise<number>,
  without: () => Promise<number>,
): Promise<number[]> {
  await withIt();
  await without();
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const before = pair % 2 ? await without() : null;
    const ms = await withIt();
    ratios.push(ms / (before ?? (await without())));
  }
  return ratios;
}

function printRatios(stack: string, ratios: readonly number[]): void {
  const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) =>
    decimalText(quantile(ratios, share) ?? Number.NaN, 3),
  );
  console.log(`| ${stack} | ${middle} | ${lower} to ${upper} |`);
}

const TRANSFERS = 20;
const REPETITIONS = 2;
const SEED = 20;

interface RandomTransfer {
  stack: string;
  bytes: number;
  special: Special;
}

/** Prints the model's limit for random transfers, and the effect of relaxing each limit. */
async function measureDrawn(path: Path): Promise<void> {
  const pick = seededPick(SEED);
  const relaxable = LIMITS.filter((limit) => limit !== 'processor');
  console.log(
    `| stack | size | condition | limit found | share of the time | total | ${relaxable.map((limit) => `${limit} relaxed`).join(' | ')} |`,
  );
  console.log(`|---|---|---|---|---|---|${relaxable.map(() => '---|').join('')}`);
  for (let number = 0; number < TRANSFERS; number++) {
    const drawn = drawTransfer(pick);
    await withTransfers(path, drawn, async (between) => {
      await between.transfer({ ...drawn.special, network: {} });
      const { observed, made } = await between.transfer(drawn.special);
      const found = observed && limitedByOf(observed);
      const changes: string[] = [];
      for (const limit of relaxable) {
        const inFlightBytes = found?.observed.inFlightBytes ?? null;
        changes.push(await changeText(limit, drawn, inFlightBytes, between));
      }
      const { stack, bytes, special } = drawn;
      const cells = [
        stack,
        bytesText(bytes),
        conditionText(special),
        found?.limit ?? 'unknown',
        found ? sharesText(found.observed) : (made.error?.reason ?? ''),
        `${decimalText(made.lastByteMs ?? 0, 0)} ms`,
        ...changes,
      ];
      console.log(`| ${cells.join(' | ')} |`);
    });
  }
}

function drawTransfer(pick: PickIndex): RandomTransfer {
  const one = <T>(...values: readonly [T, ...T[]]): T => values[pick(values.length)] ?? values[0];
  return {
    stack: one('lsquic-h3', 'bun-h2', HTTP1.stack),
    bytes: one(10_000, 100_000, 500_000, 2_000_000),
    special: {
      seed: 1 + pick(1000),
      network: {
        rttMs: one(10, 30, 60, 120),
        downKbps: one(null, 10_000, 30_000, 100_000),
        lossPercent: one(0, 0, 0, 0.5, 2),
      },
      streamWindowBytes: one(undefined, undefined, undefined, 64_000),
      receiveWindowBytes: one(8_000_000, 8_000_000, 8_000_000, 64_000),
    },
  };
}

/** Change of the total time with a relaxed limit, in pairs with an unchanged transfer: `-43 %`; empty: it cannot be relaxed. */
async function changeText(
  limit: Limit,
  { special, stack }: RandomTransfer,
  inFlightBytes: number | null,
  { transfer }: TransferBench,
): Promise<string> {
  const relaxed = relaxLimit(limit, {
    client: 'bun',
    network: { ...NOTHING_ADDED, ...special.network },
    request: {
      protocol: stack === 'lsquic-h3' ? 'h3' : 'h2',
      streamWindowBytes: special.streamWindowBytes ?? null,
      connectionWindowBytes: special.receiveWindowBytes ?? null,
    } as never,
    limitedBy: { limit, because: '', observed: { inFlightBytes } },
    isPinned: false,
    isRunning: false,
  });
  if (typeof relaxed === 'string') return '';
  const { network, request, tcp } = relaxed;
  const { streamWindowBytes = special.streamWindowBytes } = request ?? {};
  const receiveWindowBytes =
    request?.connectionWindowBytes ?? tcp?.receiveWindowBytes ?? special.receiveWindowBytes;
  const changed: Special = {
    ...special,
    network: { ...special.network, ...network },
    ...(streamWindowBytes && { streamWindowBytes }),
    ...(receiveWindowBytes && { receiveWindowBytes }),
    ...(tcp?.initcwnd && { initcwnd: tcp.initcwnd }),
  };
  const ratios: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const before = (await transfer(special)).made.lastByteMs;
    const after = (await transfer(changed)).made.lastByteMs;
    if (before !== null && after !== null) ratios.push(after / before);
  }
  const change = median(ratios);
  return change === null ? 'failed' : `${decimalText(100 * (change - 1), 0)} %`;
}

const SHARES: ReadonlySet<string> = new Set([
  'roundTripsPercent',
  'congestionWindowPercent',
  'receiveWindowPercent',
  'streamWindowPercent',
  'processorPercent',
  'linkPercent',
  'lossPercent',
  'serverPercent',
  'unknownPercent',
]);

/** Limits that take at least 5 % of a transfer's time. */
function sharesText(seen: LimitedBy['observed']): string {
  return Object.entries(seen)
    .filter(([name, percent]) => SHARES.has(name) && (percent ?? 0) >= 5)
    .map(([name, percent]) => `${name.replace('Percent', '')} ${decimalText(percent ?? 0, 0)} %`)
    .join(', ');
}

function conditionText(special: Special): string {
  const { network = {}, streamWindowBytes, receiveWindowBytes, waitMs, sharesCore } = special;
  const { rttMs, downKbps, lossPercent } = network;
  const parts = [
    rttMs ? `${rttMs} ms` : 'no delay',
    ...(downKbps ? [`${downKbps / 1000} Mbit/s`] : []),
    ...(lossPercent ? [`loss ${lossPercent} %`] : []),
    ...windowText('stream window', streamWindowBytes),
    ...windowText('receive window', receiveWindowBytes),
    ...(waitMs ? [`server waits ${waitMs} ms`] : []),
    ...(sharesCore ? ['core shared with busy programs'] : []),
  ];
  return parts.join(', ');
}

const TABLES = {
  scarce: measureKnown,
  packets: measureByPackets,
  cost: measureWatchingCost,
  'capture-cost': measureCaptureCost,
  drawn: measureDrawn,
};

/** Larger windows never limit a transfer of this bench. */
const LARGE_WINDOW_BYTES = 8_000_000;

function windowText(name: string, bytes: number | undefined): string[] {
  return bytes && bytes < LARGE_WINDOW_BYTES ? [`${name} ${bytesText(bytes)}`] : [];
}

// The model receives observations only, neither options nor conditions.
const named = process.argv.slice(2);
console.log(`load ${loadText()} at the start\n`);
await withTransferPath(async (path) => {
  for (const [name, measure] of Object.entries(TABLES)) {
    if (named.length > 0 && !named.includes(name)) continue;
    await measure(path);
    console.log('');
  }
});
console.log(`\nload ${loadText()} at the end`);
