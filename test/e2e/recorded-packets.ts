import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Observation } from '../../ground/records/observation.ts';
import { readCapture } from '../pcapng.ts';

export const EARLIER = 'before the attempt';

/**
 * Packets that Wireshark's own program finds without any option, by the requested fields: several
 * values of one packet are separate.
 */
export function fieldsIn(file: string, filter: string, ...fields: readonly string[]): string[][] {
  const wanted = fields.flatMap((field) => ['-e', field]);
  const format = ['-T', 'fields', '-E', 'separator=/t', '-E', 'aggregator=/s', ...wanted];
  const found = execFileSync('tshark', ['-N', 'n', '-r', file, '-Y', filter, ...format], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return found.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
}

/** Asserts that a load's packets match the counts of its record. */
export async function assertAsRecorded(
  file: string,
  { id, path: counts }: Observation,
): Promise<void> {
  assert.ok(counts, id);
  const { packets, statistics } = readCapture(await readFile(file));
  const own = packets.filter(({ comments }) => !comments.includes(EARLIER));
  for (const [direction, outbound] of [
    ['toServer', true],
    ['toClient', false],
  ] as const) {
    const ofDirection = own.filter((packet) => packet.outbound === outbound);
    const arrived = ofDirection.filter(({ comments }) => comments.length === 0);
    const lost = ofDirection.filter(({ comments }) => /^lost/.test(comments[0] ?? ''));
    const found = {
      packets: arrived.length,
      bytes: arrived.reduce((sum, { frame }) => sum + frame.length, 0),
      lost: lost.length,
      queueDrops: 0,
      udpDropped: 0,
      cut: 0,
    };
    assert.deepEqual(found, counts[direction], `${id} ${direction}`);
  }
  assert.equal(statistics?.dropped, 0n);
}
