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
import { LIMITED_TRANSFERS, type LimitedTransfer } from '../test/e2e/limited-transfers.ts';
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
    found === limit ? found : `**${found ?? 'unknown'}**`,
    error ?? sharesText(seen),
    `${decimalText(seen.totalMs ?? 0, 0)} ms`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
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
    const ratios: number[] = [];
    await withTransfers(path, { stack, bytes: BYTES }, (watched) =>
      withTransfers(path, { stack, bytes: BYTES, isSampled: false }, async (unwatched) => {
        await watched.transfer();
        await unwatched.unwatched();
        for (let pair = 0; pair < PAIRS; pair++) {
          const times = { watchedMs: 0, unwatchedMs: 0 };
          const takeTurns = [
            async () => {
              times.watchedMs = (await watched.transfer()).made.lastByteMs ?? Number.NaN;
            },
            async () => {
              times.unwatchedMs = (await unwatched.unwatched()).lastByteMs ?? Number.NaN;
            },
          ];
          for (const take of pair % 2 ? takeTurns.reverse() : takeTurns) await take();
          ratios.push(times.watchedMs / times.unwatchedMs);
        }
      }),
    );
    const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) =>
      decimalText(quantile(ratios, share) ?? Number.NaN, 3),
    );
    console.log(`| ${stack} | ${middle} | ${lower} to ${upper} |`);
  }
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
  'unknownPercent',
]);

/** Limits that take at least 5 % of a transfer's time. */
function sharesText(seen: LimitedBy['observed']): string {
  return Object.entries(seen)
    .filter(([name, percent]) => SHARES.has(name) && (percent ?? 0) >= 5)
    .map(([name, percent]) => `${name.replace('Percent', '')} ${decimalText(percent ?? 0, 0)} %`)
    .join(', ');
}

function conditionText({ network = {}, streamWindowBytes, receiveWindowBytes }: Special): string {
  const { rttMs, downKbps, lossPercent } = network;
  const parts = [
    rttMs ? `${rttMs} ms` : 'no delay',
    ...(downKbps ? [`${downKbps / 1000} Mbit/s`] : []),
    ...(lossPercent ? [`loss ${lossPercent} %`] : []),
    ...(streamWindowBytes ? [`stream window ${bytesText(streamWindowBytes)}`] : []),
    ...(receiveWindowBytes ? [`receive window ${bytesText(receiveWindowBytes)}`] : []),
  ];
  return parts.join(', ');
}

// The model receives observations only, neither options nor conditions.
console.log(`load ${loadText()} at the start\n`);
await withTransferPath(async (path) => {
  await measureKnown(path);
  console.log('');
  await measureWatchingCost(path);
  console.log('');
  await measureDrawn(path);
});
console.log(`\nload ${loadText()} at the end`);
