import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Har } from '../../clients/chromium/har/har.ts';
import { connect } from '../../experiments/connect/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { readObservations, readPackets } from '../../ground/records/read.ts';
import { CLIENT_ADDRESS } from '../../network/addresses.ts';
import { readCapture } from '../pcapng.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';

const EARLIER = 'before the attempt';

/** Packets that Wireshark's own program finds without any option, by the fields asked for: values that a packet has several of apart. */
function fieldsIn(file: string, filter: string, ...fields: readonly string[]): string[][] {
  const wanted = fields.flatMap((field) => ['-e', field]);
  const format = ['-T', 'fields', '-E', 'separator=/t', '-E', 'aggregator=/s', ...wanted];
  const found = execFileSync('tshark', ['-N', 'n', '-r', file, '-Y', filter, ...format], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return found.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
}

/** What a load asked the network for, as a HAR has it. */
async function askedIn(out: string, { files }: Observation): Promise<string[]> {
  const { log } = JSON.parse(await readFile(path.join(out, files.har ?? ''), 'utf8')) as Har;
  const overNetwork = log.entries.filter((each) => !each._fromCache && each.connection);
  return overNetwork
    .map(({ request }) => new URL(request.url))
    .map(({ pathname, search }) => `${pathname}${search}`)
    .toSorted();
}

/** The requests that Wireshark reads in a load's packets; of HTTP/3, whose headers it cannot read, as many dashes. */
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
      const asked = fieldsIn(file, fromClient, connection, streams).flatMap(([on = '', ids = '']) =>
        ids.split(' ').flatMap((id) => (Number(id) % 4 === 0 ? [`${on.split(' ')[0]}.${id}`] : [])),
      );
      return [...new Set(asked)].map(() => '-');
    }
    default:
      return fieldsIn(file, `http.request.uri && ${own}`, 'http.request.uri').flat().toSorted();
  }
}

/** Whether a load's packets are those that its record has counted. */
async function assertAsRecorded(file: string, { id, path: counts }: Observation): Promise<void> {
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

/** The loads of a run of all stacks that captures all packets. */
async function loadsOf(out: string, site: string, ...options: readonly string[]) {
  const command = startProgram([
    ...['benchmark', '--sites', site, '--packets', 'all', '--repetitions', '1', '--warm-ups', '1'],
    ...['--out', out],
    ...options,
  ]);
  assert.equal(await command.ended, 0, command.output());
  await assertNoProcessLeft(command);
  const { pageLoads, warnings } = await readPageLoads(out);
  assert.deepEqual(warnings, []);
  return pageLoads;
}

test('Wireshark finds the requests of every load in its packets, decrypted and with names', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const loads = await loadsOf(out, 'www.aliexpress.com', '--rtt', '10', '--visit', 'cold,reload');
    assert.equal(loads.length, 3 + 3 * 2);
    for (const load of loads) {
      const { id, protocol, files } = load;
      assert.equal(files.packets, `packets/${id}.pcapng`);
      const file = path.join(out, files.packets ?? '');
      await assertAsRecorded(file, load);
      const asked = await askedIn(out, load);
      const expected = protocol === 'h3' ? asked.map(() => '-') : asked;
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

test('packets that were lost are in a load’s file, which Wireshark reads in spite of them', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const loads = await loadsOf(out, 'www.vk.com', '--rtt', '20', '--loss', '3', '--seed', '1');
    for (const load of loads) {
      const { id, protocol, files, path: counts } = load;
      assert.ok((counts?.toClient.lost ?? 0) > 0, id);
      const file = path.join(out, files.packets ?? '');
      await assertAsRecorded(file, load);
      const asked = await askedIn(out, load);
      const found = requestsIn(file, protocol);
      // QUIC sends what was lost in other packets, so that a request may be there twice.
      if (protocol === 'h3') assert.ok(found.length >= asked.length, `${id}: ${found.length}`);
      else assert.deepEqual(found, asked, id);
    }
  }));

test('packets of single connections are captured of warm-ups alone where that is asked for, and decrypted', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['connect', '--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2'],
      ...['--rtt', '10', '--repetitions', '1', '--packets', 'warm-ups', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    const { observations } = await readObservations(out, connect);
    assert.equal(observations.length, 4);
    for (const attempt of observations) {
      const { id, warmup, files } = attempt;
      assert.equal('packets' in files, warmup, id);
      if (!warmup) continue;
      const file = path.join(out, files.packets ?? '');
      await assertAsRecorded(file, attempt);
      // The end of both sides' handshakes, which nobody reads without keys.
      const finished = fieldsIn(file, 'tls.handshake.type == 20', 'ip.src_host').flat();
      assert.deepEqual(new Set(finished), new Set(['client', 'www.example.org']), id);
      assert.ok(!/missing/.test(readCapture(await readFile(file)).comment));
    }
  }));

test('nothing is captured unless that is asked for', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['connect', '--sites', 'www.example.org', '--stacks', 'bun-h2', '--rtt', '0'],
      ...['--repetitions', '1', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    assert.ok(!existsSync(path.join(out, 'packets')));
  }));
