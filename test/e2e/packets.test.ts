import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Har } from '../../clients/har/har.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { readPackets } from '../../ground/records/read.ts';
import { CLIENT_ADDRESS } from '../../network/addresses.ts';
import { assertAsRecorded, EARLIER, fieldsIn } from './recorded-packets.ts';
import { withRun } from './with-run.ts';

/** Requests of a load to the network, from a HAR. */
async function harRequests(out: string, { files }: Observation): Promise<string[]> {
  const { log } = JSON.parse(await readFile(path.join(out, files.har ?? ''), 'utf8')) as Har;
  const overNetwork = log.entries.filter((each) => !each._fromCache && each.connection);
  return overNetwork
    .map(({ request }) => new URL(request.url))
    .map(({ pathname, search }) => `${pathname}${search}`)
    .toSorted();
}

/**
 * Requests that Wireshark reads in a load's packets; for HTTP/3, whose headers it cannot read, a
 * dash for each.
 */
function requestsIn(file: string, protocol: string): string[] {
  const own = `!(frame.comment contains "${EARLIER}")`;
  switch (protocol) {
    case 'h2':
      return fieldsIn(file, `http2.headers.path && ${own}`, 'http2.headers.path')
        .flatMap(([paths = '']) => paths.split(' '))
        .toSorted();
    case 'h3': {
      const fromClient = `http3.frame_type == 1 && ip.src == ${CLIENT_ADDRESS} && ${own}`;
      const [connection, streams] = ['quic.connection.number', 'quic.stream.stream_id'];
      // A request that is sent again, as when acknowledgements come late, is on the same stream; the client's for requests are 0, 4, 8 ...
      const requests = fieldsIn(file, fromClient, connection, streams).flatMap(
        ([on = '', ids = '']) =>
          ids
            .split(' ')
            .flatMap((id) => (Number(id) % 4 === 0 ? [`${on.split(' ')[0]}.${id}`] : [])),
      );
      return [...new Set(requests)].map(() => '-');
    }
    default:
      return fieldsIn(file, `http.request.uri && ${own}`, 'http.request.uri').flat().toSorted();
  }
}

/** A run of all stacks that captures all packets. */
const CAPTURED = 'benchmark --packets all --repetitions 1 --warm-ups 1';

test('has the requests of every load in its packets, decrypted and named in Wireshark', () =>
  withRun(`${CAPTURED} --sites www.aliexpress.com --rtt 10 --visit cold,reload`, async (run) => {
    const { out, observations: loads } = run;
    assert.equal(loads.length, 3 + 3 * 2);
    for (const load of loads) {
      const { id, protocol, files } = load;
      assert.equal(files.packets, `packets/${id}.pcapng`);
      const file = path.join(out, files.packets ?? '');
      await assertAsRecorded(file, load);
      const requests = await harRequests(out, load);
      const expected = protocol === 'h3' ? requests.map(() => '-') : requests;
      assert.ok(expected.length > 0, id);
      assert.deepEqual(requestsIn(file, protocol), expected, id);
      const ends = new Set(fieldsIn(file, 'ip', 'ip.src_host').flat());
      assert.ok(ends.has('browser') && ends.has('www.aliexpress.com'), [...ends].join());
      assert.ok(![...ends].some((end) => /^[\d.]+$/.test(end)), [...ends].join());
    }
    const captured = await readdir(path.join(out, 'packets'));
    assert.deepEqual(
      captured.filter((name) => name.endsWith('.pcapng')).toSorted(),
      loads.map(({ id }) => `${id}.pcapng`).toSorted(),
    );
    // Drawn for each condition.
    assert.deepEqual(captured.filter((name) => name.endsWith('.html')).toSorted(), [
      'www.aliexpress.com.10ms.html',
      'www.aliexpress.com.10ms.reload.html',
    ]);
    assert.equal((await readPackets(out)).length, loads.length);
  }));

test('has lost packets in a load’s file, which Wireshark still reads', () =>
  withRun(`${CAPTURED} --sites www.vk.com --rtt 20 --loss 3 --seed 1`, async (run) => {
    const { out, observations: loads } = run;
    for (const load of loads) {
      const { id, protocol, files, path: counts } = load;
      assert.ok((counts?.toClient.lost ?? 0) > 0, id);
      const file = path.join(out, files.packets ?? '');
      await assertAsRecorded(file, load);
      const requests = await harRequests(out, load);
      const found = requestsIn(file, protocol);
      // QUIC sends lost data in other packets, so that a request may be there twice.
      if (protocol === 'h3') assert.ok(found.length >= requests.length, `${id}: ${found.length}`);
      else assert.deepEqual(found, requests, id);
    }
  }));
