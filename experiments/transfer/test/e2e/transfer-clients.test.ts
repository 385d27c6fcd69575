import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransferResult } from '../../../../clients/transfer-client.ts';
import { processTreeOf } from '../../../../ground/host/process-tree.ts';
import { readProcesses } from '../../../../ground/host/processes.ts';
import { addressOfHost } from '../../../../network/addresses.ts';
import type { Server } from '../../../../runner/servers.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { sentBytes } from '../../../../test/e2e/processes.ts';
import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import { pidOf } from '../../../measuring.ts';
import {
  CLIENTS,
  transferBy,
  transferOnce,
  withEach,
  withSizedBench,
  withTransferrer,
} from './transferring.ts';

const STACKS = [lsquicH3, bunH2, HTTP1];
const LINK_KBPS = 10_000;
const LARGE_BYTES = 6_000_000;

const RTT_MS = 200;
const TIMES = { least: 2, most: 8 };

test('takes two round trips by QUIC and three by TCP and TLS 1.3 for a small file, with every client', () =>
  withSizedBench(10_000, STACKS, (bench) =>
    withEach(bench, async (client, server) => {
      const expected = server.stack.protocol === 'h3' ? 2 : 3;
      await withTransferrer(client, server, bench, async (transferrer) => {
        const totalsMs: Record<number, number[]> = { 0: [], [RTT_MS]: [] };
        await transferOnce(transferrer, server, bench);
        // Other load on the machine only adds, and more transfers reduce it.
        const roundTrips = () => {
          const [none, delayed] = [0, RTT_MS].map((rttMs) => Math.min(...(totalsMs[rttMs] ?? [])));
          return ((delayed ?? Number.NaN) - (none ?? Number.NaN)) / RTT_MS;
        };
        const isRight = () => Math.abs(roundTrips() - expected) < 0.35;
        for (let times = 0; times < TIMES.most && !(times >= TIMES.least && isRight()); times++) {
          for (const rttMs of [0, RTT_MS]) {
            const { made } = await transferOnce(transferrer, server, bench, { rttMs });
            totalsMs[rttMs]?.push(made.lastByteMs ?? Number.NaN);
          }
        }
        const what = `${client} from ${server.stack.stack}: ${roundTrips()} round trips`;
        assert.ok(isRight(), what);
      });
    }),
  ));

test('shares one connection by HTTP/2 and QUIC, and opens one per stream by HTTP/1.1, in both directions', () =>
  withSizedBench(300_000, STACKS, (bench) =>
    withEach(bench, async (client, server) => {
      await withTransferrer(client, server, bench, async (transferrer) => {
        for (const direction of ['download', 'upload'] as const) {
          const how = { direction, streams: 5, rttMs: 20, downKbps: LINK_KBPS };
          const { made, connections } = await transferOnce(transferrer, server, bench, how);
          const what = `${client}, ${direction} by ${server.stack.stack}`;
          assert.equal(made.error, null, what);
          assert.equal(made.bodyBytes, 300_000, what);
          const { protocol } = server.stack;
          if (client !== 'chromium' || protocol === 'h3') {
            assert.equal(connections, protocol === 'http/1.1' ? 5 : 1, what);
            continue;
          }
          // It opens TCP connections before it knows that one suffices, by HTTP/2 as many as it
          // likes.
          assert.ok(connections >= 1, `${what}: ${connections}`);
          if (protocol === 'http/1.1') assert.ok(connections <= 5, `${what}: ${connections}`);
        }
      });
    }),
  ));

test('completes an empty file and an empty upload', () =>
  withSizedBench(0, STACKS, (bench) =>
    withEach(bench, async (client, server) => {
      await withTransferrer(client, server, bench, async (transferrer) => {
        for (const direction of ['download', 'upload'] as const) {
          const { made } = await transferOnce(transferrer, server, bench, {
            direction,
            streams: 3,
          });
          const what = `${client}, ${direction} by ${server.stack.stack}`;
          assert.equal(made.error, null, what);
          assert.equal(made.bodyBytes, 0, what);
          assert.ok((made.lastByteMs ?? -1) > 0, what);
        }
      });
    }),
  ));

/**
 * Does something to a server during a large body, however long its client takes to begin; or after
 * its transfer, if it never got that far.
 */
async function inTheMiddle<T>(
  server: Server,
  act: () => void,
  transfer: (onBegin: () => void) => Promise<T>,
): Promise<T> {
  let isOver = false;
  const whenFlowing = async () => {
    const before = sentBytes(pidOf(server));
    while (!isOver && sentBytes(pidOf(server)) - before < LARGE_BYTES / 20) await sleep(10);
    act();
  };
  let acted = Promise.resolve();
  try {
    return await transfer(() => {
      acted = whenFlowing();
    });
  } finally {
    isOver = true;
    await acted;
  }
}

/** Sends a signal to all processes of a server. */
function signal(server: Server, name: NodeJS.Signals): void {
  for (const pid of processTreeOf(readProcesses(), pidOf(server))) process.kill(pid, name);
}

/** Timeouts of a stalled flow; the longer one if a busy machine did not get that far in time. */
const TIMEOUTS_MS = [1_500, 6_000] as const;

/** Whether nothing more arrived for half a second. */
function standsStill({ series, bodyBytes }: TransferResult): boolean {
  return bodyBytes > 0 && series.slice(-5).every(({ bytes }) => bytes === bodyBytes);
}

test('ends a stalled flow by a timeout with the bytes so far, and makes the next transfer', () =>
  withSizedBench(LARGE_BYTES, STACKS, (bench) =>
    withEach(bench, async (client, server) => {
      await withTransferrer(client, server, bench, async (transferrer) => {
        const what = `${client} from ${server.stack.stack}`;
        const stopped = async (timeoutMs: number) => {
          const stop = () => signal(server, 'SIGSTOP');
          const how = { rttMs: 20, downKbps: LINK_KBPS, timeoutMs };
          const { made } = await inTheMiddle(server, stop, (onBegin) =>
            transferOnce(transferrer, server, bench, { ...how, onBegin }),
          );
          signal(server, 'SIGCONT');
          assert.equal(made.error?.code, 'timeout', what);
          return made;
        };
        const [usualMs, longMs] = TIMEOUTS_MS;
        const first = await stopped(usualMs);
        const made = standsStill(first) ? first : await stopped(longMs);
        assert.ok(standsStill(made), `${what}: ${JSON.stringify(made.series)}`);
        assert.ok(made.bodyBytes < LARGE_BYTES, `${what}: ${made.bodyBytes}`);
        const next = await transferOnce(transferrer, server, bench);
        assert.equal(next.made.error, null, what);
        assert.equal(next.made.bodyBytes, LARGE_BYTES, what);
      });
    }),
  ));

/** Duration of a flow in a test. */
const DURATION_MS = 1_000;

/** A busy machine may delay beginning and end; more flows only reduce that. */
const FLOWS_MOST = 3;

test('stops a timed flow during a body or after many, with the bytes so far', async () => {
  for (const bytes of [LARGE_BYTES, 50_000]) {
    await withSizedBench(bytes, STACKS, async (bench) => {
      for (const server of bench.servers) {
        await withTransferrer('bun', server, bench, async (transferrer) => {
          for (const direction of ['download', 'upload'] as const) {
            const what = `${direction} of ${bytes} bytes by ${server.stack.stack}`;
            const link = { rttMs: 20, downKbps: LINK_KBPS, upKbps: LINK_KBPS };
            const how = { ...link, direction, durationMs: DURATION_MS };
            // A part of a large body, several small ones.
            const [least, most] = bytes === LARGE_BYTES ? [300_000, bytes - 1] : [3 * bytes, 2e6];
            const found: string[] = [];
            let isInTime = false;
            while (!isInTime && found.length < FLOWS_MOST) {
              const { made } = await transferOnce(transferrer, server, bench, how);
              assert.equal(made.error, null, what);
              const { atMs = Number.NaN, bytes: last } = made.series.at(-1) ?? {};
              assert.ok(atMs >= DURATION_MS - 5, `${what}: ${atMs} ms`);
              assert.equal(last, made.bodyBytes, what);
              const isAsMuch = made.bodyBytes >= least && made.bodyBytes <= most;
              isInTime = atMs < DURATION_MS + 500 && isAsMuch;
              found.push(`${made.bodyBytes} bytes in ${atMs} ms`);
            }
            assert.ok(isInTime, `${what}: ${found}`);
            const next = await transferOnce(transferrer, server, bench, { direction });
            assert.deepEqual([next.made.error, next.made.bodyBytes], [null, bytes], what);
          }
        });
      }
    });
  }
});

for (const client of CLIENTS) {
  test(`${client} reports a body cut off by a server that ends`, () =>
    withSizedBench(LARGE_BYTES, STACKS, async (bench) => {
      for (const server of bench.servers) {
        const end = () => signal(server, 'SIGKILL');
        const how = { rttMs: 20, downKbps: LINK_KBPS, timeoutMs: 6_000 };
        const { made } = await inTheMiddle(server, end, (onBegin) =>
          transferBy(client, server, bench, { ...how, onBegin }),
        );
        const what = `${server.stack.stack}: ${made.error?.reason}`;
        // QUIC reports an end only by the server's program, which is gone.
        const codes = server.stack.protocol === 'h3' ? ['cut-off', 'timeout'] : ['cut-off'];
        assert.ok(codes.includes(made.error?.code ?? ''), what);
        assert.ok(made.bodyBytes > 0 && made.bodyBytes < LARGE_BYTES, what);
      }
    }));

  test(`${client} reports no connection without a server`, () =>
    withSizedBench(1_000, [bunH2], async (bench) => {
      const [server] = bench.servers as [Server];
      const origins = { 'files.example': `${addressOfHost(0)}:1` };
      const { made } = await transferBy(
        client,
        { ...server, origins },
        { ...bench, servers: [{ ...server, origins }] },
        { timeoutMs: 5_000 },
      );
      assert.equal(made.error?.code, 'connect-failed', made.error?.reason);
      assert.equal(made.bodyBytes, 0);
    }));
}
