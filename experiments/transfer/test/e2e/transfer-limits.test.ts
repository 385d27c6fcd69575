import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { median } from '../../../../statistics/median.ts';
import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import { TRIES_ALL } from '../../../../test/e2e/tested-stacks.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { pidOf } from '../../../measuring.ts';
import { goodputKbps } from '../../goodput.ts';
import { limitedByOf } from '../../limits/model.ts';
import { LIMITS, type Limit, type LimitedBy, type TransferDetails } from '../../records.ts';
import type { WatchedTransfer } from '../../watch-transfer.ts';
import { judgeTransfer } from './judged-transfers.ts';
import {
  LIMITED_FOR_OTHER_CLIENTS,
  LIMITED_TRANSFERS,
  type LimitedTransfer,
  limitedQuicTransfers,
} from './limited-transfers.ts';
import { coresOf, pinToCores, withTransferPath, withTransfers } from './watched-transfers.ts';

function limitOf({ made, observed }: WatchedTransfer) {
  assert.equal(made.error, null);
  assert.ok(observed);
  return limitedByOf(observed);
}

const TRIES_MOST = 5;

/**
 * A transfer whose reported limit is the imposed one, with the imposed share. On a busy machine the
 * processor may really be the limit, or the result is unclear. A late program changes the limit
 * once, while a wrong rule repeats its error.
 */
async function transferUntilLimit(
  limit: Limit,
  transfer: () => Promise<WatchedTransfer>,
  isAsMuch: (watched: WatchedTransfer) => boolean = () => true,
): Promise<WatchedTransfer> {
  const further: LimitedBy[] = [];
  while (further.length < TRIES_MOST) {
    const watched = await transfer();
    const explained = limitOf(watched);
    if (explained.limit === limit && isAsMuch(watched)) return watched;
    const isBusy = [null, 'processor', limit].includes(explained.limit);
    const isTwice = further.some((other) => other.limit === explained.limit);
    further.push(explained);
    if (isTwice && !isBusy) break;
  }
  const found = further.map(({ because }) => because).join('\n');
  return assert.fail(`expected ${limit} as it was made to be, found:\n${found}`);
}

test('reports each single imposed limit from observations alone', async (t) => {
  assert.deepEqual(new Set(LIMITED_TRANSFERS.map(({ limit }) => limit)), new Set(LIMITS));
  await assertLimits(t, LIMITED_TRANSFERS, ({ limit }) => limit);
});

test('reports limits whichever client receives', (t) =>
  assertLimits(t, LIMITED_FOR_OTHER_CLIENTS, ({ client }) => client));

test("reports imposed windows by a sender's packets alone", async (t) => {
  const isWindow = ({ limit }: LimitedTransfer) => limit.endsWith(' window');
  const transfers = representatives(
    limitedQuicTransfers('lsquic-h3').filter(isWindow),
    (each) => each.limit,
  );
  await withTransferPath(async (networkPath) => {
    for (const limited of transfers) {
      await t.test(limited.limit, async () => {
        const { ownSamples, packetsWithKeys, packetsWithoutKeys } = await judgeTransfer(
          networkPath,
          limited,
        );
        for (const found of [ownSamples, packetsWithKeys, packetsWithoutKeys]) {
          // On a busy machine the result may be unclear.
          assert.ok([limited.limit, null].includes(found?.limit ?? null), found?.because);
        }
        assert.equal(packetsWithKeys?.packets, 'with keys');
        assert.equal(packetsWithoutKeys?.packets, 'without keys');
      });
    }
  });
});

/**
 * One case per kind stands for its variants, which differ in conditions and stacks: the first of
 * the first, the second of the second, and so on.
 */
function representatives(
  transfers: readonly LimitedTransfer[],
  kindOf: (transfer: LimitedTransfer) => unknown,
): LimitedTransfer[] {
  const kinds = [...Map.groupBy(transfers, kindOf).values()];
  return kinds.flatMap((own, index) => own[index % own.length] ?? []);
}

async function assertLimits(
  t: TestContext,
  transfers: readonly LimitedTransfer[],
  kindOf: (transfer: LimitedTransfer) => unknown,
): Promise<void> {
  const tried = TRIES_ALL ? transfers : representatives(transfers, kindOf);
  await withTransferPath(async (networkPath) => {
    for (const { limit, ...limited } of tried) {
      const { client = 'bun', stack } = limited;
      await t.test(`${limit}: ${client}, ${stack}, ${JSON.stringify(limited.special)}`, () =>
        withTransfers(networkPath, limited, async ({ transfer }) => {
          await transfer({ ...limited.special, network: {} });
          await transferUntilLimit(limit, () => transfer(limited.special));
        }),
      );
    }
  });
}

test('limits a stream window of 64 kB at 40 ms to 64 kB per round trip', () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: 'bun-h2', bytes: 5_000_000 }, async ({ transfer }) => {
      const windows = { streamWindowBytes: 64_000, receiveWindowBytes: 8_000_000 };
      const how = { ...windows, network: { rttMs: 40 } };
      // Never more than the window in a round trip; a busy machine makes round trips longer.
      const isAsMuch = ({ made }: WatchedTransfer) => {
        const kbps = goodputKbps(made, 40) ?? Number.NaN;
        assert.ok(kbps < 13_100, `${kbps} kbit/s`);
        return kbps > 9_000;
      };
      await transferUntilLimit('stream window', () => transfer(how), isAsMuch);
    }),
  ));

test('limits programs that share a core by the processor, and speeds them up with all cores', () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: HTTP1.stack, bytes: 50_000_000 }, async (between) => {
      const { server, transferClient, transfer } = between;
      const pids = [pidOf(server), transferClient.pid];
      const cores = coresOf(process.pid);
      const first = cores.split(/[-,]/)[0] ?? '0';
      // Each in its own session: the kernel shares a core among sessions.
      const busy = [1, 2, 3, 4].map(() =>
        spawn('taskset', ['--cpu-list', first, process.execPath, '-e', 'for(;;);'], {
          detached: true,
        }),
      );
      try {
        const heldMs: number[] = [];
        const freeMs: number[] = [];
        await transfer();
        for (let repetition = 0; repetition < 3; repetition++) {
          pinToCores(pids, first);
          for (const each of busy) each.kill('SIGCONT');
          const held = await transfer({ receiveWindowBytes: 8_000_000 });
          const { limit, because } = limitOf(held);
          assert.equal(limit, 'processor', because);
          heldMs.push(held.made.lastByteMs ?? 0);
          pinToCores(pids, cores);
          for (const each of busy) each.kill('SIGSTOP');
          freeMs.push((await transfer({ receiveWindowBytes: 8_000_000 })).made.lastByteMs ?? 0);
        }
        assert.ok((median(freeMs) ?? 0) < (median(heldMs) ?? 0), `${freeMs} and held ${heldMs}`);
      } finally {
        for (const each of busy) each.kill('SIGKILL');
      }
    }),
  ));

test("explains an upload by its client's sender", () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: HTTP1.stack, bytes: 4_000_000 }, async ({ transfer }) => {
      const special = { direction: 'upload', receiveWindowBytes: 64_000 } as const;
      await transfer(special);
      const far = { ...special, network: { rttMs: 40 } };
      const { connections } = await transferUntilLimit('receive window', () => transfer(far));
      assert.ok(connections.whole, 'many segments of data hide no handshake');
      const link = { rttMs: 20, upKbps: 20_000 };
      await transferUntilLimit('link', () => transfer({ direction: 'upload', network: link }));
    }),
  ));

test("explains a QUIC upload by its client's transport and the windows of its server", () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: 'lsquic-h3', bytes: 10_000_000 }, async ({ transfer }) => {
      const direction = 'upload';
      await transfer({ direction });
      const farAway = { direction, network: { rttMs: 100 } } as const;
      const fillOf = (watched: WatchedTransfer) => {
        const { streamsBytes } = watched.observed?.offered ?? {};
        assert.ok(streamsBytes, 'the server says in its handshake what it lets come');
        return (limitOf(watched).observed.inFlightBytes ?? Number.NaN) / streamsBytes;
      };
      // The receiver grants more when half is read, which happens later on a busy machine.
      const isAsMuch = (watched: WatchedTransfer) =>
        fillOf(watched) > 1 / 3 && fillOf(watched) <= 1;
      await transferUntilLimit('stream window', () => transfer(farAway), isAsMuch);
      const link = { rttMs: 20, upKbps: 10_000 };
      const slow = await transferUntilLimit('link', () => transfer({ direction, network: link }));
      const last = slow.observed?.sender?.at(-1);
      assert.ok((last?.minRttMs ?? 0) >= 19.9, `${last?.minRttMs}`);
    }),
  ));

test('reports the limit of each transfer in a run, and with --explain the result without it', () =>
  withRun(
    `transfer --stacks lsquic-h3,bun-h2 --size 1MB --rtt 40 --stream-window 64kB
      --repetitions 2 --explain`,
    async ({ out, observations }) => {
      const counted = observations.filter(({ warmup }) => !warmup);
      assert.equal(counted.length, 4);
      const details = counted.map((each) => each.details as TransferDetails);
      const limits = counted.map(
        ({ arm }, at) => `${arm}: ${details[at]?.limitedBy?.limit ?? 'unclear'}`,
      );
      // On a busy machine the processor may really be the limit, or the result is unclear.
      for (const arm of ['lsquic-h3', 'bun-h2'])
        assert.ok(limits.includes(`${arm}: stream window`), `${limits}`);
      for (const { limitedBy, series } of details) {
        assert.ok(
          ['stream window', 'processor', null].includes(limitedBy?.limit ?? null),
          limitedBy?.because,
        );
        const middle = series[series.length >> 1];
        assert.ok(middle && (middle.cwndBytes ?? 0) > 0, JSON.stringify(middle));
        assert.ok(series.some(({ inFlightBytes }) => (inFlightBytes ?? 0) > 10_000));
        assert.ok((middle.rttMs ?? 0) >= 39.9 && middle.clientCpuPercent !== null);
        assert.ok(series.every(({ bytes }, at) => bytes >= (series[at - 1]?.bytes ?? 0)));
        assert.equal(series.at(-1)?.bytes, 1_000_000);
      }
      const explained = details.flatMap(({ explains }) => explains ?? []);
      assert.equal(explained.length, 2, 'one of each kind');
      const windows = explained.filter(({ relaxed: raised }) => raised === 'stream window');
      assert.ok(windows.length > 0, JSON.stringify(explained));
      for (const { helped, unchangedMs: asItWasMs, relaxedMs: raisedMs } of windows) {
        const what = `${asItWasMs} and raised ${raisedMs}`;
        assert.ok((median(raisedMs) ?? Number.NaN) < (median(asItWasMs) ?? Number.NaN), what);
        assert.equal(helped, Math.max(...raisedMs) < Math.min(...asItWasMs), what);
      }
      assert.deepEqual(
        readdirSync(out).filter((name) => name === 'tcp-info'),
        [],
        'samples are not kept beside the series',
      );
    },
  ));
