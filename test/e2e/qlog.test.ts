import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { readPackets } from '../../ground/records/read.ts';
import { readCapture } from '../../packets/connections/capture-reader.ts';
import type { QlogEvent } from '../../packets/qlog/trace.ts';
import { withQlogs } from '../../packets/qlog/write.ts';
import { QuicWindows } from '../../packets/windows/quic-windows.ts';
import { readQlog } from '../unit/packets/qlog/read-qlog.ts';
import { orSkip } from './userspace-path.ts';
import { withRun } from './with-run.ts';

const RTT_MS = 30;

test("writes a standard qlog of each connection from the capture of a load over QUIC, with the path's losses", (t) =>
  // Only tshark reads captures.
  orSkip(t, () =>
    withRun<PageLoad>(
      `benchmark --sites jquery-ui-demo --stacks lsquic-h3 --repetitions 2 --rtt ${RTT_MS}
      --loss 2 --seed 1 --packets all --warm-ups 1`,
      async ({ out, observations: pageLoads }) => {
        assert.equal(pageLoads.length, 3);
        const captured = new Map(
          (await readPackets(out)).map((each) => [each.id, each.connections]),
        );
        for (const { id, files, path: counts, startedAt } of pageLoads) {
          const capture = path.join(out, files.packets ?? '');
          const folder = path.join(out, 'again');
          const { qlogs } = await withQlogs(folder, id, (each) => readCapture(capture, {}, each));
          const names = qlogs ?? [];
          assert.equal(names.length, captured.get(id)?.length, id);
          assert.ok(names.length > 0, id);
          const read = await Promise.all(names.map((name) => readQlog(path.join(folder, name))));
          const events = read.flatMap((each) => each.events);
          const dataOf = (wanted: string) =>
            events.flatMap(({ name, data }) => (name === wanted ? [data] : []));
          // With this seed both directions lose some of their first hundred packets in every load.
          assert.ok(counts && counts.toServer.lost > 0 && counts.toClient.lost > 0, id);
          assert.equal(lostDatagrams(events), counts.toServer.lost, id);
          const dropped = dataOf('transport:packet_dropped').map(({ datagram_id }) => datagram_id);
          assert.equal(new Set(dropped).size, counts.toClient.lost, id);
          assert.equal(dataOf('transport:parameters_set').length, 2 * names.length, id);
          for (const name of ['http:frame_created', 'http:frame_parsed']) {
            assert.ok(dataOf(name).length > 5, `${id}: ${name}`);
          }
          const minMs = dataOf('recovery:metrics_updated').flatMap(({ min_rtt }) => min_rtt ?? []);
          const least = Math.min(...minMs.map(Number));
          assert.ok(least >= RTT_MS - 0.5 && least < RTT_MS + 10, `${id}: ${least} ms`);

          const windows = new QuicWindows(Date.parse(startedAt));
          await readCapture(capture, {}, (packet) => windows.take(packet));
          const points = windows.windows().flatMap((connection) => connection.points);
          const most = Math.max(...points.map(({ inFlightBytes }) => inFlightBytes));
          assert.ok(most > 10_000 && most < 10_000_000, `${id}: ${most} bytes in flight`);
          assert.ok(
            points.every(({ inFlightBytes, atMs }) => inFlightBytes >= 0 && atMs > -RTT_MS),
          );
        }
      },
    ),
  ));

/** Packets of one datagram are lost together. */
function lostDatagrams(events: readonly QlogEvent[]): number {
  const lost = events.flatMap(({ name }, index) => {
    if (name !== 'recovery:packet_lost') return [];
    const sent = events.slice(0, index).findLast((each) => each.name === 'transport:packet_sent');
    return [sent?.data.datagram_id];
  });
  return new Set(lost).size;
}
