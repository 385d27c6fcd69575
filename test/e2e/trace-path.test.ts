import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { LinkSample } from '../../ground/records/link-sample.ts';
import { meanKbpsOf, OPPORTUNITY_BYTES, type TraceReference } from '../../ground/records/trace.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { MeasuringPrograms } from '../../network/bench/network/programs.ts';
import type { Path } from '../../network/path.ts';
import { queueBytes } from '../../network/queue.ts';
import { withUserspacePath } from '../../network/userspace/backend.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { orSkip, PYTHON, settle, UNCHANGED } from './userspace-path.ts';

const SERVER = addressOfHost(0);

/** A path with its own recorded links, by their times. */
async function withTraces(
  t: TestContext,
  times: Readonly<Record<string, readonly number[]>>,
  use: (
    made: Path,
    programs: MeasuringPrograms,
    traceOf: (name: string) => TraceReference,
  ) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (tracesFolder) => {
    const traces = new Map<string, TraceReference>();
    for (const [name, timesMs] of Object.entries(times)) {
      await writeFile(path.join(tracesFolder, name), `${timesMs.join('\n')}\n`);
      const meanKbps = meanKbpsOf(Uint32Array.from(timesMs));
      const durationMs = timesMs.at(-1) ?? 0;
      traces.set(name, { name, sha256: '0'.repeat(64), meanKbps, durationMs });
    }
    const options = { python: PYTHON, hosts: 1, congestionControl: 'cubic', initcwnd: null };
    await orSkip(t, () =>
      withUserspacePath({ ...options, tracesFolder }, async (made) => {
        await use(made, new MeasuringPrograms(made.agent, PYTHON), (name) => {
          return traces.get(name) ?? assert.fail(name);
        });
      }),
    );
  });
}

/** 12.112 Mbit/s: a packet each ms. */
const EVEN = Array.from({ length: 1000 }, (_, ms) => ms + 1);

/**
 * Foreign programs that use the processor make a transfer longer, and nothing makes it shorter: the
 * shortest of several is the link's.
 */
const TRANSFERS = { least: 2, most: 8 };

test('transfers over an even recorded link as fast as at the same rate, within 2 %', async (t) => {
  await withTraces(t, { even: EVEN }, async (made, programs, traceOf) => {
    const trace = traceOf('even');
    assert.equal(Math.round(trace.meanKbps), 8 * OPPORTUNITY_BYTES);
    const bytesBy = async (limit: object) => {
      await made.apply({ ...UNCHANGED, rttMs: 20, ...limit });
      return programs.withServer('server', ['take', SERVER], async ({ port, next }) => {
        await programs.run('client', 'give', SERVER, port, 10, 4_000_000);
        const { bytes, seconds } = await next<{ bytes: number; seconds: number }>();
        assert.equal(bytes, 4_000_000);
        return seconds;
      });
    };
    const byTraceS: number[] = [];
    const byRateS: number[] = [];
    const isAsFast = () => Math.abs(Math.min(...byTraceS) / Math.min(...byRateS) - 1) < 0.02;
    // More transfers only reduce disturbances: a wrong rate shows in every transfer.
    for (let transfer = 0; transfer < TRANSFERS.most; transfer++) {
      if (transfer >= TRANSFERS.least && isAsFast()) break;
      byTraceS.push(await bytesBy({ traceUp: trace }));
      byRateS.push(await bytesBy({ upKbps: trace.meanKbps }));
    }
    assert.ok(isAsFast(), `${byTraceS} s, and by rate ${byRateS} s`);
  });
});

/** A second of 12, one of 3, one of nothing, and one of 24 Mbit/s in groups of ten packets every 5 ms. */
const VARYING = [
  ...EVEN,
  ...Array.from({ length: 250 }, (_, each) => 1000 + 4 * (each + 1)),
  ...Array.from({ length: 200 }, (_, each) => 3000 + 5 * (each + 1)).flatMap((ms) =>
    Array<number>(10).fill(ms),
  ),
];

/** Capacity of its seconds, as a fraction of EVEN. */
const SHARES = [1, 0.25, 0, 2];

/**
 * Foreign programs that use the processor occasionally delay packets; a wrong link passes different
 * ones each time.
 */
const TRIES_MOST = 4;

test('passes per second what a varying recorded link allows with a standing queue, within 2 %, in every repetition', async (t) => {
  await withTraces(t, { varying: VARYING }, async (made, programs, traceOf) => {
    const requested = { ...UNCHANGED, rttMs: 1000, traceUp: traceOf('varying'), queueBdp: 8 };
    let wrong: string[] | null = null;
    for (let tries = 0; tries < TRIES_MOST && wrong?.length !== 0; tries++) {
      await made.apply(requested);
      await programs.withServer('server', ['sink', SERVER], async ({ port }, endSink) => {
        // 30 Mbit/s for ten seconds: more than fits at any time, and more waits than the best second takes.
        const payload = 1000;
        await programs.run('client', 'burst', SERVER, port, 36_000, payload, 30_000);
        endSink();
      });
      const samples = (await made.samples()) ?? assert.fail();
      const { toServer } = await made.count();
      assert.ok(toServer.queueDrops > 0);
      wrong = wrongSecondsOf(samples.map((each) => each.toServer));
      const most = Math.max(...samples.map((each) => each.toServer.mostQueuedBytes));
      const room = queueBytes(requested, 'toServer', made.longestPacketBytes);
      assert.ok(most <= room && most > room - 1500, `${most} of ${room} bytes waited`);
      await settle(made);
    }
    assert.deepEqual(wrong, []);
  });
});

/** Seconds, of eight from the first packet on, that differ from VARYING. */
function wrongSecondsOf(samples: readonly LinkSample['toServer'][]): string[] {
  const first = samples.findIndex(({ mostQueuedBytes }) => mostQueuedBytes > 0);
  // The delay of 500 ms is behind the queue: what left it in a second arrives in the one half a second later.
  const secondFrom = (from: number, valueIn: (direction: LinkSample['toServer']) => number) =>
    samples.slice(from, from + 100).reduce((sum, each) => sum + valueIn(each), 0);
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((second) => {
    const allowed = 1000 * OPPORTUNITY_BYTES * (SHARES[second % 4] ?? 0);
    const passed = secondFrom(first + 100 * second + 50, ({ bytes }) => bytes);
    const capacity = secondFrom(first + 100 * second, ({ capacityBytes }) => capacityBytes);
    // A group at the edge of a step falls on either side.
    const slack = 0.02 * allowed + 10 * OPPORTUNITY_BYTES;
    const isRight = [passed, capacity].every((found) => Math.abs(found - allowed) <= slack);
    return isRight ? [] : [`${second} s: ${passed} of ${allowed} bytes, room for ${capacity}`];
  });
}

test('begins a recorded link with the first packet of each load, repeats it after its last time, and loses unused capacity', async (t) => {
  const times = [400, 400, 400, 400, 400, 400, 2000];
  await withTraces(t, { late: times }, async (made, programs, traceOf) => {
    const probed = async (pauseMs: number) => {
      await made.apply({ ...UNCHANGED, traceUp: traceOf('late') });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return programs.withServer('server', ['echo', SERVER], async ({ port }) => {
        const { rttsMs } = await programs.run<{ rttsMs: (number | null)[] }>(
          ...(['client', 'probe', SERVER, port, 3, 100] as const),
        );
        return rttsMs.map((rtt) => rtt ?? Number.NaN);
      });
    };
    // The second is sent when all of 400 ms have passed, and waits until 2000 ms; the third for 400
    // ms of the repetition. Counted from the beginning of the load, it would have been less, and
    // after the pause until 2000 ms.
    const isRight = ([first = 2000, second = 2000, third = 2000]: readonly number[]) =>
      first < 800 && second > 1000 && second < 1650 && third > 200 && third < 450;
    for (const pauseMs of [0, 700]) {
      let rttsMs: number[] = [];
      for (let tries = 0; tries < TRIES_MOST && !isRight(rttsMs); tries++) {
        rttsMs = await probed(pauseMs);
        assert.ok((rttsMs[0] ?? Number.NaN) > 399, `${rttsMs} ms`);
      }
      assert.ok(isRight(rttsMs), `${rttsMs} ms`);
    }
  });
});
