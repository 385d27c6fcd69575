import assert from 'node:assert/strict';
import type { CapturedPacket } from '../pcapng.ts';
import { withComment } from './path-capture.ts';

export const [AT_MS, LASTS_MS] = [500, 1000];

const IN_CUT = 'lost: the path was cut';

/** Times of packets at the client's end, since the first one. */
function timesMs(packets: readonly CapturedPacket[], of: readonly CapturedPacket[]): number[] {
  return of.map(({ timeNs }) => Number(timeNs - (packets[0]?.timeNs ?? 0n)) / 1e6);
}

/**
 * Whether exactly the packets at the client's end in the cut were lost, as many as were counted.
 */
export function assertCut(packets: readonly CapturedPacket[], counted: number): void {
  const lost = withComment(packets, IN_CUT);
  assert.equal(lost.length, counted);
  for (const ms of timesMs(packets, lost)) {
    assert.ok(ms >= AT_MS && ms < AT_MS + LASTS_MS, `lost at ${ms} ms`);
  }
  const arrivedMs = timesMs(
    packets,
    packets.filter(({ comments }) => comments.length === 0),
  );
  const [before, later] = [
    arrivedMs.filter((ms) => ms < AT_MS),
    arrivedMs.filter((ms) => ms >= AT_MS + LASTS_MS),
  ];
  assert.equal(before.length + later.length, arrivedMs.length, `not lost: ${arrivedMs} ms`);
  assert.ok(before.length > 0 && later.length > 0, `none before or after: ${arrivedMs} ms`);
}
