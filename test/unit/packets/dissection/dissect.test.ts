import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { MachineError } from '../../../../ground/system/errors.ts';
import { dissect } from '../../../../packets/dissection/dissect.ts';
import { frameName, quicPacketName } from '../../../../packets/dissection/names.ts';
import { isEarlier, isLost } from '../../../../packets/dissection/packet.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { fakeCapture, useFakeTshark } from '../fake-tshark.ts';
import { segment, type TimedPacket } from '../made-packets.ts';

/** Number of packets read if tshark ends with these words, and its complaint. */
async function dissected(
  t: TestContext,
  lastWords: string,
  packets: readonly TimedPacket[] = [segment(0, 'toServer'), segment(1, 'toServer')],
): Promise<{ packets: number; complaints: string[] }> {
  const folder = temporaryFolder(t);
  await useFakeTshark(t, folder, { lastWords });
  const file = path.join(folder, 'a.pcapng');
  await writeFile(file, fakeCapture(packets));
  const complaints: string[] = [];
  const complain = (complaint: string) => void complaints.push(complaint);
  const found = await Array.fromAsync(dissect(file, { complain }));
  return { packets: found.length, complaints };
}

test('reports complaints of tshark, but not the one about root', async (t) => {
  const words = 'echo \'Running as user "root" and group "root".\' >&2';
  assert.deepEqual(await dissected(t, words), { packets: 2, complaints: [] });
  const cut = 'echo "The file appears to have been cut short." >&2; exit 2';
  assert.deepEqual(await dissected(t, cut), {
    packets: 2,
    complaints: ['The file appears to have been cut short.'],
  });
});

test('calls a capture incomplete if tshark is killed within a line', async (t) => {
  const { packets, complaints } = await dissected(t, 'printf \'{"n":3,"ip":{"fr\'; kill -9 $$');
  assert.equal(packets, 2);
  assert.match(
    complaints.join(),
    /^tshark ended with SIGKILL after 2 packets\. tshark printed a damaged line/,
  );
});

test('reports why tshark reads nothing', async (t) => {
  await assert.rejects(dissected(t, 'echo "no such link type" >&2; exit 1', []), {
    name: 'UsageError',
    message: /tshark cannot read .*a\.pcapng: no such link type/,
  });
});

test('rejects a capture that needs too much memory, with the remedy', async (t) => {
  const folder = temporaryFolder(t);
  await useFakeTshark(t, folder);
  const file = path.join(folder, 'a.pcapng');
  const capture = fakeCapture([segment(0, 'toServer')]);
  await writeFile(file, capture);
  const availableBytes = Buffer.byteLength(capture) * 9;
  await assert.rejects(Array.fromAsync(dissect(file, { availableBytes })), (error: Error) => {
    assert.ok(error instanceof MachineError);
    assert.match(
      error.message,
      /tshark needs about .* of memory.*Read a part of it.*-w part\.pcapng/,
    );
    return true;
  });
});

test('names frames and packets of QUIC as in their standard', () => {
  const names = [0x0f, 0x02, 0x1e, 0xff].map((type) => frameName({ type, bytes: 1 }));
  assert.deepEqual(names, ['STREAM', 'ACK', 'HANDSHAKE_DONE', '0xff']);
  const packets = [
    { long: 0 },
    { long: 1, version: 0 },
    { long: 1, version: 1, longType: 3 },
    { long: 1, version: 1, longType: 1 },
  ];
  assert.deepEqual(
    packets.map((packet) => quicPacketName({ bytes: 1, ...packet })),
    ['1-RTT', 'Version Negotiation', 'Retry', '0-RTT'],
  );
});

test('reads the fate of packets from comments of our captures', () => {
  const { packet } = segment(0, 'toServer');
  const saying = (...comments: string[]) => ({ ...packet, comments });
  for (const lost of ['lost on the path', 'dropped: the queue was full'])
    assert.ok(isLost(saying('before the attempt', lost)));
  assert.ok(!isLost(packet) && !isLost(saying('on its way when the attempt ended')));
  assert.ok(!isLost(saying('not lost')));
  assert.ok(isEarlier(saying('before the attempt')) && !isEarlier(packet));
});
