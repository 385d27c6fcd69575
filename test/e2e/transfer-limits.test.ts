import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pidOf } from '../../experiments/measuring.ts';
import { transfer } from '../../experiments/transfer/experiment.ts';
import { goodputKbps } from '../../experiments/transfer/goodput.ts';
import { limitedByOf } from '../../experiments/transfer/limits/model.ts';
import type { Watched } from '../../experiments/transfer/watched.ts';
import { readObservations } from '../../records/read.ts';
import { LIMITS, type TransferDetails } from '../../records/transfer.ts';
import { median } from '../../statistics/median.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { LIMITED_OF_OTHERS, LIMITED_TRANSFERS, type LimitedTransfer } from './limited-transfers.ts';
import { TRIES_ALL } from './tested-stacks.ts';
import { withTransferPath, withTransfers } from './watched-transfers.ts';

function toldOf({ made, observed }: Watched) {
  assert.equal(made.error, null);
  assert.ok(observed);
  return limitedByOf(observed);
}

test('each limit that alone is made scarce is told, from what is observed and nothing else', async (t) => {
  assert.deepEqual(new Set(LIMITED_TRANSFERS.map(({ limit }) => limit)), new Set(LIMITS));
  await assertTold(t, LIMITED_TRANSFERS, ({ limit }) => limit);
});

test('limits are told whichever client receives', (t) =>
  assertTold(t, LIMITED_OF_OTHERS, ({ client }) => client));

/** One of each kind stands for those of it, which differ in conditions and stacks: the first of the first, the second of the second, and so on. */
function standing(
  transfers: readonly LimitedTransfer[],
  kindOf: (transfer: LimitedTransfer) => unknown,
): LimitedTransfer[] {
  const kinds = [...Map.groupBy(transfers, kindOf).values()];
  return kinds.flatMap((own, index) => own[index % own.length] ?? []);
}

async function assertTold(
  t: TestContext,
  transfers: readonly LimitedTransfer[],
  kindOf: (transfer: LimitedTransfer) => unknown,
): Promise<void> {
  const tried = TRIES_ALL ? transfers : standing(transfers, kindOf);
  await withTransferPath(async (networkPath) => {
    for (const { limit, ...limited } of tried) {
      const { client = 'bun', stack } = limited;
      await t.test(`${limit}: ${client}, ${stack}, ${JSON.stringify(limited.special)}`, () =>
        withTransfers(networkPath, limited, async ({ transfer }) => {
          await transfer({ ...limited.special, network: {} });
          let told = toldOf(await transfer(limited.special));
          // On a machine that is busy with other things it can be the processor, and truly so.
          for (let more = 0; more < 2 && told.limit !== limit; more++) {
            assert.ok(told.limit === null || told.limit === 'processor', told.because);
            told = toldOf(await transfer(limited.special));
          }
          assert.equal(told.limit, limit, told.because);
        }),
      );
    }
  });
}

test('a stream window of 64 kB at 40 ms lets 64 kB through in a round trip', () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: 'bun-h2', bytes: 5_000_000 }, async ({ transfer }) => {
      const watched = await transfer({
        streamWindowBytes: 64_000,
        receiveWindowBytes: 8_000_000,
        network: { rttMs: 40 },
      });
      assert.equal(toldOf(watched).limit, 'stream window');
      const kbps = goodputKbps(watched.made, 40) ?? Number.NaN;
      // Never more than the window in a round trip; a busy machine makes round trips longer.
      assert.ok(kbps < 13_100 && kbps > 9_000, `${kbps} kbit/s`);
    }),
  ));

test('programs that share a core with others are limited by the processor, and are faster when they have all', () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: 'bun-h1', bytes: 50_000_000 }, async (between) => {
      const { server, transferrer, transfer } = between;
      const pids = [pidOf(server), transferrer.pid];
      const cores = coresOf(process.pid);
      const first = cores.split(/[-,]/)[0] ?? '0';
      // Each in a session of its own, for the kernel shares a core out by sessions.
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
          holdTo(pids, first);
          for (const each of busy) each.kill('SIGCONT');
          const held = await transfer({ receiveWindowBytes: 8_000_000 });
          const { limit, because } = toldOf(held);
          assert.equal(limit, 'processor', because);
          heldMs.push(held.made.lastByteMs ?? 0);
          holdTo(pids, cores);
          for (const each of busy) each.kill('SIGSTOP');
          freeMs.push((await transfer({ receiveWindowBytes: 8_000_000 })).made.lastByteMs ?? 0);
        }
        assert.ok((median(freeMs) ?? 0) < (median(heldMs) ?? 0), `${freeMs} and held ${heldMs}`);
      } finally {
        for (const each of busy) each.kill('SIGKILL');
      }
    }),
  ));

function coresOf(pid: number): string {
  const text = execFileSync('taskset', ['--pid', '--cpu-list', `${pid}`], { encoding: 'utf8' });
  return text.trim().split(': ')[1] ?? '';
}

function holdTo(pids: readonly number[], cores: string): void {
  for (const pid of pids) {
    execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores, `${pid}`]);
  }
}

test('an upload is told by what its client sends', () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: 'bun-h1', bytes: 4_000_000 }, async ({ transfer }) => {
      const special = { direction: 'upload', receiveWindowBytes: 64_000 } as const;
      await transfer(special);
      const watched = await transfer({ ...special, network: { rttMs: 40 } });
      const held = toldOf(watched);
      assert.equal(held.limit, 'receive window', held.because);
      assert.ok(watched.connections.whole, 'many segments of data hide no handshake');
      const link = { rttMs: 20, upKbps: 20_000 };
      const slow = toldOf(await transfer({ direction: 'upload', network: link }));
      assert.equal(slow.limit, 'link', slow.because);
    }),
  ));

test("an upload by QUIC is told by what its client's transport says, and by the windows of its server", () =>
  withTransferPath((networkPath) =>
    withTransfers(networkPath, { stack: 'lsquic-h3', bytes: 10_000_000 }, async ({ transfer }) => {
      const direction = 'upload';
      await transfer({ direction });
      const far = await transfer({ direction, network: { rttMs: 100 } });
      const { limit, because, observed } = toldOf(far);
      assert.equal(limit, 'stream window', because);
      const { streamsBytes } = far.observed?.offered ?? {};
      assert.ok(streamsBytes, 'the server says in its handshake what it lets come');
      const { inFlightBytes = 0 } = observed;
      assert.ok(inFlightBytes && inFlightBytes <= streamsBytes && inFlightBytes > streamsBytes / 3);
      const slow = await transfer({ direction, network: { rttMs: 20, upKbps: 10_000 } });
      assert.equal(toldOf(slow).limit, 'link', toldOf(slow).because);
      const last = slow.observed?.sender?.at(-1);
      assert.ok((last?.minRttMs ?? 0) >= 19.9, `${last?.minRttMs}`);
    }),
  ));

test('a run says of each transfer what held it up, and with --explain what it was without', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['transfer', '--stacks', 'lsquic-h3,bun-h2', '--size', '1MB', '--rtt', '40'],
      ...['--stream-window', '64kB', '--repetitions', '2', '--explain', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    const { observations } = await readObservations(out, transfer);
    const counted = observations.filter(({ warmup }) => !warmup);
    assert.equal(counted.length, 4);
    const details = counted.map((each) => each.details as TransferDetails);
    for (const { limitedBy, series } of details) {
      assert.equal(limitedBy?.limit, 'stream window', limitedBy?.because);
      const middle = series[series.length >> 1];
      assert.ok(middle && (middle.cwndBytes ?? 0) > 0, JSON.stringify(middle));
      assert.ok(series.some(({ inFlightBytes }) => (inFlightBytes ?? 0) > 10_000));
      assert.ok((middle.rttMs ?? 0) >= 39.9 && middle.clientCpuPercent !== null);
      assert.ok(series.every(({ bytes }, at) => bytes >= (series[at - 1]?.bytes ?? 0)));
      assert.equal(series.at(-1)?.bytes, 1_000_000);
    }
    const explained = details.flatMap(({ explains }) => explains ?? []);
    assert.equal(explained.length, 2, 'one of each kind');
    for (const { raised, helped, asItWasMs, raisedMs } of explained) {
      assert.equal(raised, 'stream window');
      assert.ok(helped, `${asItWasMs} and raised ${raisedMs}`);
    }
    assert.deepEqual(
      readdirSync(out).filter((name) => name === 'tcp-info'),
      [],
      'samples are not kept beside the series',
    );
  }));
