import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { bun } from '../../../../clients/bun/client.ts';
import { readHosts } from '../../../../ground/options/hosts.ts';
import { type ProbeRecord, probeSchema } from '../../../../ground/records/probe.ts';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { InterruptedError } from '../../../../ground/system/errors.ts';
import { longPacketsOf } from '../../../../network/handshakes/quic-handshake.ts';
import { readMachine } from '../../../../runner/machine.ts';
import { withServers } from '../../../../runner/servers.ts';
import { STACKS } from '../../../../servers/index.ts';
import { loopbackAddresses } from '../../../../test/e2e/loopback.ts';
import { writeFixtureSite } from '../../../../test/e2e/site-fixture.ts';
import { ensureLeaves } from '../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { closed } from '../../../../test/unit/closed-schema.ts';
import { probeCommand } from '../../command.ts';

const HOST = 'localhost';
/** Limit that no answered probe needs. */
const TIMEOUT_MS = 20_000;
/** Limit for silent hosts. */
const SHORT_MS = 5000;
const machine = readMachine();

interface Probed {
  status: number;
  records: ProbeRecord[];
  printed: string[];
  csv: string;
  page: string;
}

/** Probes hosts, and reads the written results. */
async function probe(
  words: readonly string[],
  {
    trust = null,
    signal = new AbortController().signal,
    timeoutMs = TIMEOUT_MS,
  }: { trust?: string | null; signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<Probed> {
  return withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'probe');
    const printed: string[] = [];
    const status = await probeCommand(readHosts(words), {
      timeoutMs,
      out,
      trust,
      quicClient: [machine.bun, bun.connect.program],
      signal,
      print: (line) => printed.push(line),
    });
    const text = (file: string) => readFileSync(path.join(out, file), 'utf8');
    const lines = text('probes.jsonl').trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as ProbeRecord);
    const problemOf = schemaCheck(closed(probeSchema));
    assert.deepEqual(
      records.map(problemOf),
      records.map(() => null),
    );
    return { status, records, printed, csv: text('probes.csv'), page: text('probe.html') };
  });
}

async function probeOne(...options: Parameters<typeof probe>): Promise<ProbeRecord> {
  const { records } = await probe(...options);
  assert.equal(records.length, 1);
  return records[0] as ProbeRecord;
}

function failuresOf({ failures }: ProbeRecord): string[] {
  return failures.map(({ question, layer, code }) => `${question}: ${layer} ${code}`);
}

async function listening(t: TestContext, server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  });
  return (server.address() as AddressInfo).port;
}

/** The certificate of the test's host, and the authority's. */
async function identity(folder: string) {
  await ensureLeaves([HOST], folder);
  const read = (file: string) => readFileSync(path.join(folder, file));
  return { cert: read(`${HOST}.pem`), key: read(`${HOST}.key`) };
}

/** A TLS server with one response to every request. */
async function tlsServer(t: TestContext, options: TlsOptions): Promise<number> {
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nalt-svc: h3=":443"\r\n\r\n'));
  });
  server.on('tlsClientError', () => {});
  return listening(t, server);
}

/** A program that answers datagrams; null: it is silent. */
async function udpServer(
  t: TestContext,
  answer: (datagram: Buffer) => Buffer[],
  port = 0,
): Promise<{ port: number; seen: Buffer[] }> {
  const socket = createSocket('udp4');
  const seen: Buffer[] = [];
  socket.on('message', (datagram, { port: to, address }) => {
    seen.push(datagram);
    for (const each of answer(datagram)) socket.send(each, to, address);
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return { port: socket.address().port, seen };
}

const isOfVersion1 = (datagram: Buffer) => datagram.readUInt32BE(1) === 1;

/**
 * Version Negotiation with an unknown version (RFC 9000, section 17.2.1), its connection ids
 * swapped.
 */
function versionNegotiation(datagram: Buffer, versions: string): Buffer {
  const destinationBytes = datagram.readUInt8(5);
  const destination = datagram.subarray(5, 6 + destinationBytes);
  const sourceAt = 6 + destinationBytes;
  const source = datagram.subarray(sourceAt, sourceAt + 1 + datagram.readUInt8(sourceAt));
  return Buffer.concat([
    Buffer.from('8000000000', 'hex'),
    source,
    destination,
    Buffer.from(versions, 'hex'),
  ]);
}

test('reports h3, no Retry, and at most threefold amplification of a real HTTP/3 server', () =>
  withTemporaryFolder(async (temporary) => {
    const site = 'www.probe.test';
    const siteFolder = path.join(temporary, 'probe');
    await writeFixtureSite(siteFolder, [{ url: `https://${site}/`, body: 'probed' }]);
    await ensureLeaves([site], path.join(temporary, 'certs'));
    const options = {
      machine,
      stacks: STACKS.filter(({ stack }) => ['lsquic-h3', 'bun-h2'].includes(stack)),
      site: 'probe',
      siteFolder,
      certsFolder: path.join(temporary, 'certs'),
      addresses: loopbackAddresses([site]),
      enter: [],
      logsFolder: temporary,
    };
    await withServers(options, async (servers) => {
      const addressOf = (stack: string) =>
        servers.find((each) => each.stack.stack === stack)?.origins[site] ?? '';
      // Lsquic does not report its versions: that probe takes its whole limit.
      const { records, status } = await probe([addressOf('lsquic-h3'), addressOf('bun-h2')], {
        timeoutMs: 5000,
      });
      assert.equal(status, 0);
      const [h3, h2] = ['lsquic-h3', 'bun-h2'].map((stack) =>
        records.find(({ port }) => addressOf(stack).endsWith(`:${port}`)),
      );
      assert.ok(h3 && h2);
      assert.deepEqual([h3.answered, h3.h3, h3.retry, h3.tls13], [true, true, false, false]);
      assert.equal(h3.unvalidatedSentBytes, 1200);
      assert.ok((h3.unvalidatedReceivedBytes ?? 0) > 1200, 'a hello and a certificate');
      assert.ok((h3.amplification ?? 9) <= 3, `${h3.amplification}`);
      assert.deepEqual(
        [h2.answered, h2.h3, h2.tls13, h2.tls12, h2.alpnTogether, h2.alpnH2, h2.status],
        [true, false, true, true, 'h2', true, 404],
      );
      assert.ok((h2.certificateChainBytes ?? 0) > 200);
      assert.ok(failuresOf(h2).includes('h3: udp no-answer'), failuresOf(h2).join());
    });
  }));

test('reports TLS, ALPN, tickets, post-quantum groups and certificates of the server', (t) =>
  withTemporaryFolder(async (temporary) => {
    const own = await identity(temporary);
    const old = await tlsServer(t, { ...own, maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] });
    const ancient = await tlsServer(t, {
      ...own,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    });
    const classical = await tlsServer(t, { ...own, minVersion: 'TLSv1.3', ecdhCurve: 'P-256' });
    const h2 = createSecureServer({ ...own, allowHTTP1: false, minVersion: 'TLSv1.3' });
    h2.on('stream', (stream) =>
      stream.respond({ ':status': 301, 'alt-svc': 'clear' }, { endStream: true }),
    );
    h2.on('sessionError', () => {});
    h2.on('tlsClientError', () => {});
    const h2Only = await listening(t, h2 as unknown as Server);
    const { records, status } = await probe(
      [old, ancient, classical, h2Only].map((port) => `${HOST}:${port}`),
      { trust: path.join(temporary, 'CA.pem') },
    );
    assert.equal(status, 0);
    const of = (wanted: number) => {
      const found = records.find(({ port }) => port === wanted);
      assert.ok(found);
      return found;
    };
    const versionsOf = ({ tls13, tls12, tls11, tls10 }: ProbeRecord) => [
      tls13,
      tls12,
      tls11,
      tls10,
    ];
    assert.deepEqual(versionsOf(of(old)), [false, true, false, false]);
    assert.deepEqual(versionsOf(of(ancient)), [true, true, true, true]);
    assert.deepEqual(versionsOf(of(classical)), [true, false, false, false]);
    assert.deepEqual(versionsOf(of(h2Only)), [true, false, false, false]);
    assert.ok(failuresOf(of(old)).includes('tls1.3: tls protocol_version'));
    const alpnOf = ({ alpnTogether, alpnH2, alpnHttp11 }: ProbeRecord) => [
      alpnTogether,
      alpnH2,
      alpnHttp11,
    ];
    assert.deepEqual(alpnOf(of(old)), ['http/1.1', false, true]);
    assert.deepEqual(alpnOf(of(ancient)), ['', false, false]);
    assert.deepEqual(alpnOf(of(h2Only)), ['h2', true, false]);
    assert.ok(failuresOf(of(ancient)).includes('alpn h2: tls not-picked'));
    assert.ok(failuresOf(of(h2Only)).includes('alpn http/1.1: tls no_application_protocol'));
    assert.deepEqual(
      [old, ancient, classical, h2Only].map((port) => [of(port).group, of(port).postQuantum]),
      [
        ['X25519', false],
        ['X25519MLKEM768', true],
        ['secp256r1', false],
        ['X25519MLKEM768', true],
      ],
    );
    assert.match(of(old).cipher ?? '', /^TLS_ECDHE_ECDSA_WITH_/);
    assert.deepEqual(
      [of(old), of(h2Only)].map(({ status, altSvc }) => [status, altSvc]),
      [
        [204, 'h3=":443"'],
        [301, 'clear'],
      ],
    );
    for (const record of records) {
      assert.equal(record.certificate, 'valid');
      assert.ok((record.sessionTickets ?? 0) >= 1, `${record.port} sent no ticket`);
      assert.deepEqual([record.h3, record.quicVersions], [false, null]);
    }
  }));

test('reports an untrusted certificate, unless certificates are not checked', (t) =>
  withTemporaryFolder(async (temporary) => {
    const port = await tlsServer(t, await identity(temporary));
    const { certificate } = await probeOne([`${HOST}:${port}`], { trust: 'system' });
    assert.match(certificate ?? '', /^(UNABLE_TO_|SELF_SIGNED_)/);
    assert.equal((await probeOne([`${HOST}:${port}`])).certificate, null);
  }));

test('reports a server that offers versions, sends Retry and then stays silent', async (t) => {
  const { port, seen } = await udpServer(t, (datagram) =>
    isOfVersion1(datagram)
      ? [Buffer.from('f0000000010004aabbccdd', 'hex')]
      : [versionNegotiation(datagram, '6b3343cf00000001ff00001d2a3a4a5a')],
  );
  const record = await probeOne([`127.0.0.1:${port}`], { timeoutMs: SHORT_MS });
  assert.deepEqual(
    [record.answered, record.quicVersions, record.retry, record.h3],
    [true, ['2', '1', 'ff00001d'], true, false],
  );
  assert.ok((record.amplification ?? 1) < 0.1);
  assert.deepEqual(record.addresses, [
    { address: '127.0.0.1', family: 'ipv4', tcp: false, udp: true },
  ]);
  assert.ok(seen.length >= 3);
});

test('detects a server that sends five times what it got from a client that never answers', async (t) => {
  const { port, seen } = await udpServer(t, (datagram) =>
    isOfVersion1(datagram) ? Array.from({ length: 5 }, () => Buffer.alloc(1200, 0xcf)) : [],
  );
  const record = await probeOne([`127.0.0.1:${port}`], { timeoutMs: SHORT_MS });
  assert.deepEqual([record.answered, record.amplification], [true, 5]);
  // A datagram is repeated if its response is late.
  const sentBytes = record.unvalidatedSentBytes ?? 0;
  assert.ok(sentBytes === 1200 || sentBytes === 2400, `${sentBytes} bytes`);
  assert.equal(record.unvalidatedReceivedBytes, 5 * sentBytes);
  const ofVersion1 = seen.filter((datagram) => longPacketsOf(datagram).length > 0);
  assert.ok(ofVersion1.every(({ length }) => length >= 1200));
});

test('gets HTTPS records from the machine’s name server, by TCP if a datagram is too small', async (t) => {
  const rdata = Buffer.from(
    '00010000010006026833026832' + '0003000211d7' + '000400047f000001',
    'hex',
  );
  const queries: string[] = [];
  const answerTo = (query: Buffer, truncated: boolean) => {
    const question = query.subarray(12, query.indexOf(Buffer.from('00410001', 'hex')) + 4);
    queries.push(`${truncated ? 'udp' : 'tcp'} ${question.subarray(0, -5).toString('latin1')}`);
    const head = Buffer.from(
      `0000${truncated ? '8380' : '8180'}0001000${truncated ? 0 : 1}00000000`,
      'hex',
    );
    query.copy(head, 0, 0, 2);
    const length = Buffer.from([0, rdata.length]);
    const record = Buffer.concat([Buffer.from('c00c004100010000003c', 'hex'), length, rdata]);
    return Buffer.concat([head, question, ...(truncated ? [] : [record])]);
  };
  const { port } = await udpServer(t, (query) => [answerTo(query, true)]);
  const byTcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (query) => {
      const answer = answerTo(query.subarray(2), false);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    });
  });
  await listening(t, byTcp, port);
  const before = getServers();
  t.after(() => setServers(before));
  setServers([`127.0.0.1:${port}`]);
  const { httpsRecords } = await probeOne([`${HOST}:4567`]);
  assert.deepEqual(httpsRecords, [
    {
      priority: 1,
      target: '',
      alpn: ['h3', 'h2'],
      noDefaultAlpn: false,
      port: 4567,
      ipv4Hints: ['127.0.0.1'],
      ipv6Hints: [],
      encryptedHello: false,
    },
  ]);
  const name = '\u0005_4567\u0006_https\u0009localhost';
  assert.deepEqual(queries, [`udp ${name}`, `tcp ${name}`]);
});

test('writes rows with reasons for hosts without a name server, an address or a response, and sets the status', async (t) => {
  const { port: silentPort } = await udpServer(t, () => []);
  const silentTcp = createServer((socket) => socket.on('error', () => {}));
  const silentTls = await listening(t, silentTcp);
  const before = getServers();
  t.after(() => setServers(before));
  setServers([`127.0.0.1:${silentPort}`]);
  const words = [
    'no-such-host.invalid',
    '127.0.0.1:1',
    '[::1]:1',
    `127.0.0.1:${silentPort}`,
    `127.0.0.1:${silentTls}`,
  ];
  const { status, records, printed, csv, page } = await probe(words, { timeoutMs: SHORT_MS });
  assert.equal(status, 6);
  const of = (host: string, port: number) => {
    const found = records.find((each) => each.host === host && each.port === port);
    assert.ok(found, `${host}:${port}`);
    return found;
  };
  assert.deepEqual(
    [of('no-such-host.invalid', 443), of('127.0.0.1', 1), of('127.0.0.1', silentPort)].map(
      ({ answered, tls13, h3 }) => [answered, tls13, h3],
    ),
    Array.from({ length: 3 }, () => [false, null, null]),
  );
  const nowhere = of('no-such-host.invalid', 443);
  assert.ok(
    failuresOf(nowhere).some((each) => /^ipv4: dns (ENOTFOUND|EAI_AGAIN|timeout)$/.test(each)),
  );
  assert.ok(failuresOf(nowhere).includes('https record: dns timeout'));
  assert.ok(failuresOf(of('127.0.0.1', 1)).includes('ipv4: tcp ECONNREFUSED'));
  assert.ok(failuresOf(of('127.0.0.1', silentPort)).includes('first flight: udp timeout'));
  const silent = of('127.0.0.1', silentTls);
  assert.equal(silent.answered, true);
  assert.deepEqual([silent.tls13, silent.tlsVersion, silent.h3], [null, null, false]);
  assert.ok(failuresOf(silent).includes('tls: tls timeout'));
  assert.ok(failuresOf(silent).includes('tls1.3: client not-tried'));
  // A head, a row for each host, and the paths of the files.
  assert.equal(printed.length, words.length + 2);
  assert.equal(csv.trimEnd().split('\n').length, words.length + 1);
  assert.match(page, /5 hosts, 1 of which answered/);
});

test('ends at once on an interruption, and writes earlier results', async (t) => {
  const { port } = await udpServer(t, () => []);
  const stop = new AbortController();
  await withTemporaryFolder(async (out) => {
    const probing = probeCommand(readHosts(['127.0.0.1:1', `127.0.0.1:${port}`]), {
      timeoutMs: 60_000,
      out,
      trust: null,
      quicClient: [machine.bun, bun.connect.program],
      signal: stop.signal,
      // The first row interrupts.
      print: (line) => line.startsWith('127.0.0.1:1 ') && stop.abort(new InterruptedError('now')),
    });
    await assert.rejects(probing, InterruptedError);
    const lines = readFileSync(path.join(out, 'probes.jsonl'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as ProbeRecord).port),
      [1],
    );
    assert.match(readFileSync(path.join(out, 'probe.html'), 'utf8'), /Interrupted: 1 host of 2/);
    assert.equal(
      readFileSync(path.join(out, 'probes.csv'), 'utf8').trimEnd().split('\n').length,
      2,
    );
  });
});

test('does not overwrite existing files', () =>
  withTemporaryFolder(async (out) => {
    const dependencies = {
      timeoutMs: 1000,
      out,
      trust: null,
      quicClient: [machine.bun, bun.connect.program],
      signal: new AbortController().signal,
      print: () => {},
    };
    await probeCommand(readHosts(['127.0.0.1:1']), dependencies);
    await assert.rejects(
      probeCommand(readHosts(['127.0.0.1:1']), dependencies),
      /exists, and nothing/,
    );
  }));
