import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readCapture } from '../../../../packets/connections/capture-reader.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { assertEach } from '../../assert-each.ts';
import { fakeCapture, useFakeTshark } from '../fake-tshark.ts';
import { crypto, datagram, quicPacket } from '../made-packets.ts';

test('assigns a stateless reset, which has the id of no connection, to the one between the same ends', async (t) => {
  const folder = temporaryFolder(t);
  await useFakeTshark(t, folder);
  const opening = datagram(0, 'toServer', [quicPacket('handshake', 0, [crypto(0, 300)])]);
  const reset = datagram(20, 'toServer', [quicPacket('short', 0, [], { closedBytes: 30 })]);
  delete reset.packet.udp?.connection;
  const file = path.join(folder, 'a.pcapng');
  await writeFile(file, fakeCapture([opening, reset]));
  const { connections } = await readCapture(file);
  assertEach(connections, ({ toServer, opened }) => [toServer.packets, opened], [[2, 'all']]);
});
