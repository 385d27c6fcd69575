import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import * as tls from 'node:tls';
import {
  type ConnectionRequest,
  type ConnectionResult,
  type Connector,
  startConnector,
} from '../../clients/connector.ts';
import { assertSetUp, type ClientWith, clientCommand } from '../../clients/index.ts';
import {
  CONNECTION_TRANSPORT_NAMES,
  type ConnectionTransport,
} from '../../ground/records/connection-transport.ts';
import { startChild } from '../../ground/system/child-process.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { bunH2 } from '../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../servers/lsquic-h3/stack.ts';
import { ensureLeaves, openAuthority } from '../leaves.ts';
import { pythonWithQuic } from '../python-with-quic.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { loopbackAddresses } from './loopback.ts';
import { writeFixtureSite } from './site-fixture.ts';

const HOST = 'www.clients.test';
const BODY = 'the answer, whole'.repeat(1000);
const SHORT_MS = 400;

const machine = readMachine();
const folder = temporaryFolder({ after });
const certs = path.join(folder, 'certs');
const strangers = path.join(folder, 'strangers');
const addresses: Partial<Record<ConnectionTransport, string>> = {};
const { promise: done, resolve: finish } = Promise.withResolvers<void>();
let serving: Promise<void>;

before(async () => {
  const site = path.join(folder, 'site');
  await writeFixtureSite(site, [
    { url: `https://${HOST}/`, headers: [['content-type', 'text/plain']], body: BODY },
  ]);
  await ensureLeaves([HOST], certs);
  await openAuthority(certs);
  // Another authority.
  await ensureLeaves([HOST], strangers);
  await openAuthority(strangers);
  const ready = Promise.withResolvers<void>();
  serving = withServers(
    {
      stacks: [lsquicH3, bunH2],
      site: 'site',
      siteFolder: site,
      addresses: loopbackAddresses([HOST]),
      enter: [],
      logsFolder: folder,
      certsFolder: certs,
    },
    async ([h3, h2]) => {
      for (const transport of CONNECTION_TRANSPORT_NAMES)
        addresses[transport] = (transport === 'quic' ? h3 : h2)?.origins[HOST];
      ready.resolve();
      await done;
    },
  );
  serving.catch(ready.reject);
  await ready.promise;
});

after(async () => {
  finish();
  await serving;
});

function connectionTo(
  transport: ConnectionTransport,
  rest: Partial<ConnectionRequest> = {},
): ConnectionRequest {
  return {
    transport,
    host: HOST,
    authority: HOST,
    address: addresses[transport] ?? '',
    resumption: 'none',
    awaitsTicket: false,
    request: null,
    localPort: null,
    trust: path.join(certs, 'CA.pem'),
    timeoutMs: 5000,
    ...rest,
  };
}

async function withConnector(
  client: ClientWith<'connect'>,
  use: (connector: Connector) => Promise<void>,
): Promise<void> {
  const connector = startConnector(clientCommand(client, client.connect.program, machine.bun));
  try {
    await use(connector);
  } finally {
    await connector.close();
  }
}

/** Instants of a successful connection, in their required order. */
function assertOrdered(result: ConnectionResult): void {
  assert.equal(result.error, null);
  const { tcpMs, maySendMs, completeMs, firstByteMs, totalMs } = result;
  const instants = [tcpMs, maySendMs, completeMs, firstByteMs, totalMs].filter((ms) => ms !== null);
  assert.ok(
    instants.every((ms) => ms > 0),
    `${instants}`,
  );
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => a - b),
  );
}

/** Short reason of a failed connection. */
function failure({ error }: ConnectionResult): [layer: string, code: string] | null {
  return error && [error.layer, error.code];
}

/** Silent end of a path: accepts everything and never answers. */
async function withSilence(
  transport: ConnectionTransport,
  use: (address: string) => Promise<void>,
): Promise<void> {
  if (transport === 'quic') {
    const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    await use(`127.0.0.1:${socket.address().port}`).finally(() => socket.close());
    return;
  }
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => void sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await use(`127.0.0.1:${(server.address() as net.AddressInfo).port}`).finally(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

/** An aioquic server with one of its behaviours; `resumed` reports each handshake. */
async function withQuicServer(
  behaviour: 'plain' | 'retry' | 'refuse' | 'other' | 'reject',
  use: (address: string, resumed: boolean[]) => Promise<void>,
): Promise<void> {
  const program = path.join(import.meta.dirname, 'clients', 'quic_server.py');
  const files = ['pem', 'key'].map((kind) => path.join(certs, `${HOST}.${kind}`));
  const child = startChild(pythonWithQuic(), ['-B', program, ...files, behaviour]);
  try {
    const lines = createInterface(child.process.stdout as NodeJS.ReadableStream);
    const [first] = await once(lines, 'line');
    const resumed: boolean[] = [];
    lines.on('line', (line) => resumed.push(JSON.parse(line).resumed));
    await use(`127.0.0.1:${JSON.parse(first).port}`, resumed);
  } finally {
    await child.stop(SHORT_MS);
  }
}

/** An address where nothing listens, as of a moment ago. */
async function closedPort(transport: ConnectionTransport): Promise<string> {
  let closed = '';
  await withSilence(transport, async (address) => {
    closed = address;
  });
  return closed;
}

/** How connecting clients differ beyond their descriptions. */
interface Expected {
  /**
   * Whether it reports details of the QUIC handshake: confirmed, resumed, after a Retry, with which
   * certificates.
   */
  reportsQuic: boolean;
  /**
   * Why a QUIC connection fails: the server refuses it, has another protocol, rejects the request.
   */
  refusals: Readonly<Record<'refuse' | 'other' | 'reject', [layer: string, code: string]>>;
}

/** Tests that a client keeps the contract of clients/connector.ts. */
export function testConnectingClient(
  client: ClientWith<'connect'>,
  { reportsQuic, refusals }: Expected,
): void {
  const { name, connect } = client;
  const { resumptions, startsEarly = false } = connect;
  const transports = CONNECTION_TRANSPORT_NAMES.filter((transport) => resumptions[transport]);
  const secure = transports.filter((transport) => transport !== 'tcp');

  describe(`the client ${name}:`, () => {
    before(() => assertSetUp(client));

    for (const transport of transports) {
      test(`orders the instants of a connection by ${transport}, and sends no request`, () =>
        withConnector(client, async (connector) => {
          const result = await connector.connect(connectionTo(transport));
          assertOrdered(result);
          const { tcpMs, maySendMs, completeMs, confirmedMs, firstByteMs, facts } = result;
          assert.equal(tcpMs === null, transport === 'quic');
          assert.ok(maySendMs !== null);
          // A client that starts early does not report the arrival of the server's last message.
          assert.equal(completeMs === null, startsEarly && transport === 'tls1.2');
          assert.equal(firstByteMs, null);
          assert.equal(confirmedMs !== null, reportsQuic && transport === 'quic');
          if (confirmedMs !== null) assert.ok(confirmedMs >= (completeMs ?? 0));
          assert.deepEqual([facts.status, facts.resumed, facts.earlyData], [null, null, null]);
        }));
    }

    for (const transport of secure) {
      test(`gets the response to a request by ${transport}, and reports the agreed parameters`, () =>
        withConnector(client, async (connector) => {
          const result = await connector.connect(
            connectionTo(transport, { request: { path: '/' } }),
          );
          assertOrdered(result);
          const { firstByteMs, totalMs, facts, keyLog } = result;
          assert.ok(firstByteMs !== null && totalMs !== null);
          assert.equal(facts.status, 200);
          assert.equal(facts.bodyBytes, BODY.length);
          assert.equal(facts.altSvc, 'h3=":443"; ma=86400');
          assert.equal(facts.alpn, transport === 'quic' ? 'h3' : 'h2');
          assert.equal(facts.tlsVersion, transport === 'tls1.2' ? 'TLS 1.2' : 'TLS 1.3');
          assert.match(
            facts.cipher ?? '',
            transport === 'tls1.2' ? /^TLS_ECDHE_ECDSA_WITH_/ : /^TLS_AES/,
          );
          assert.match(
            keyLog,
            transport === 'tls1.2' ? /^CLIENT_RANDOM \w+ \w+\n$/ : /^CLIENT_TRAFFIC_SECRET_0 /m,
          );
          if (reportsQuic || transport !== 'quic') {
            const leaf = readFileSync(path.join(certs, `${HOST}.pem`), 'utf8');
            const der = Buffer.from(leaf.split('-----')[2] ?? '', 'base64');
            assert.equal(facts.certificateChainBytes, der.length);
            assert.ok(facts.group);
          }
        }));

      test(`uses a ticket of a connection by ${transport} once`, () =>
        withConnector(client, async (connector) => {
          const resuming = connectionTo(transport, { resumption: 'ticket' });
          assert.deepEqual(failure(await connector.connect(resuming)), ['client', 'no-ticket']);
          assertOrdered(await connector.connect(connectionTo(transport, { awaitsTicket: true })));
          const result = await connector.connect(resuming);
          assertOrdered(result);
          assert.equal(result.facts.resumed, reportsQuic || transport !== 'quic' ? true : null);
          assert.equal(result.facts.certificateChainBytes, null);
          assert.equal(result.facts.earlyData, null);
          const other = await connector.connect({ ...resuming, host: `other.${HOST}` });
          assert.deepEqual(failure(other), ['client', 'no-ticket']);
          assertOrdered(await connector.connect(connectionTo(transport)));
        }));

      test(`sends early data by ${transport} if it can, and rejects the request for it otherwise`, () =>
        withConnector(client, async (connector) => {
          assertOrdered(await connector.connect(connectionTo(transport, { awaitsTicket: true })));
          const request = { path: '/' };
          const result = await connector.connect(
            connectionTo(transport, { resumption: 'early-data', request }),
          );
          if (!resumptions[transport]?.includes('early-data')) {
            assert.deepEqual(failure(result), ['client', 'unsupported']);
            return;
          }
          assertOrdered(result);
          assert.equal(result.facts.earlyData, 'accepted');
          assert.equal(result.facts.resumed, true);
          assert.equal(result.facts.bodyBytes, BODY.length);
          assert.match(result.keyLog, /^CLIENT_EARLY_TRAFFIC_SECRET /);
          assert.ok((result.maySendMs ?? 0) < (result.completeMs ?? 0));
        }));

      test(`reports an untrusted authority by ${transport}, and skips verification on request`, () =>
        withConnector(client, async (connector) => {
          for (const [trust, code] of [
            // It has the name of the real signer, so that only its signature does not match.
            [path.join(strangers, 'CA.pem'), 'CERT_SIGNATURE_FAILURE'],
            ['system', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
          ] as const) {
            const result = await connector.connect(connectionTo(transport, { trust }));
            assert.deepEqual(failure(result), ['tls', code]);
            assert.equal(result.maySendMs, null);
          }
          const host = 'another.test';
          const misnamed = await connector.connect(connectionTo(transport, { host }));
          assert.deepEqual(failure(misnamed), ['tls', 'HOSTNAME_MISMATCH']);
          assertOrdered(await connector.connect(connectionTo(transport, { host, trust: null })));
          const gone = await connector.connect(
            connectionTo(transport, { trust: path.join(folder, 'gone') }),
          );
          assert.deepEqual(failure(gone), ['client', 'no-authorities']);
        }));
    }

    for (const transport of transports) {
      test(`reports a refused connection by ${transport} to a port where nothing listens`, () =>
        withConnector(client, async (connector) => {
          const result = await connector.connect(
            connectionTo(transport, { address: await closedPort(transport) }),
          );
          assert.deepEqual(failure(result), [transport === 'quic' ? 'udp' : 'tcp', 'ECONNREFUSED']);
        }));
    }

    for (const transport of secure) {
      test(`gives up a silent peer by ${transport} in time, and makes the next connection`, () =>
        withConnector(client, (connector) =>
          withSilence(transport, async (address) => {
            // Once it has started, which takes its time.
            assertOrdered(await connector.connect(connectionTo(transport)));
            const started = performance.now();
            const late = await connector.connect(
              connectionTo(transport, { address, timeoutMs: SHORT_MS }),
            );
            const tookMs = performance.now() - started;
            assert.deepEqual(failure(late), [transport === 'quic' ? 'udp' : 'tls', 'timeout']);
            assert.ok(tookMs >= SHORT_MS && tookMs < 10 * SHORT_MS, `${tookMs} ms`);
            assert.match(late.error?.reason ?? '', / within 0\.4 s\./);
            assertOrdered(await connector.connect(connectionTo(transport)));
          }),
        ));

      test(`connects by ${transport} from the requested port`, () =>
        withConnector(client, async (connector) => {
          const port = Number((await closedPort(transport)).split(':')[1]);
          assertOrdered(await connector.connect(connectionTo(transport, { localPort: port })));
          await withSilence(transport, async (address) => {
            const taken = Number(address.split(':')[1]);
            const result = await connector.connect(connectionTo(transport, { localPort: taken }));
            assert.deepEqual(failure(result), ['client', 'EADDRINUSE']);
          });
        }));
    }

    test('offers a ticket to a QUIC server, which accepts it, and none in a full handshake', () =>
      withConnector(client, (connector) =>
        withQuicServer('plain', async (address, resumed) => {
          const request = { path: '/' };
          for (const rest of [
            { awaitsTicket: true },
            { resumption: 'ticket' as const, request },
            { request },
          ]) {
            const result = await connector.connect(connectionTo('quic', { address, ...rest }));
            assertOrdered(result);
            if ('request' in rest) assert.equal(result.facts.status, 200);
          }
          while (resumed.length < 3) await setTimeout(10);
          assert.deepEqual(resumed, [false, true, false]);
        }),
      ));

    test('reports why a QUIC server refuses, as far as the client knows', () =>
      withConnector(client, async (connector) => {
        const request = { path: '/' };
        for (const behaviour of ['refuse', 'other', 'reject'] as const) {
          await withQuicServer(behaviour, async (address) => {
            const result = await connector.connect(connectionTo('quic', { address, request }));
            assert.deepEqual(failure(result), refusals[behaviour]);
            assert.equal(result.firstByteMs, null);
          });
        }
      }));

    test('follows a Retry packet, and reports it if the client can', () =>
      withConnector(client, (connector) =>
        withQuicServer('retry', async (address) => {
          const result = await connector.connect(connectionTo('quic', { address }));
          assertOrdered(result);
          assert.equal(result.facts.retry, reportsQuic ? true : null);
        }),
      ));

    test('rejects unknown transports, and ends when its stdin closes', () =>
      withConnector(client, async (connector) => {
        for (const transport of CONNECTION_TRANSPORT_NAMES.filter((each) => !resumptions[each])) {
          const result = await connector.connect(connectionTo(transport));
          assert.deepEqual(failure(result), ['client', 'unsupported']);
        }
        const tcp = await connector.connect(connectionTo('tcp', { request: { path: '/' } }));
        assert.deepEqual(failure(tcp), ['client', 'unsupported']);
      }));

    for (const [transport, only] of [
      ['tls1.2', 'TLSv1.3'],
      ['tls1.3', 'TLSv1.2'],
    ] as const) {
      if (!resumptions[transport]) continue;
      test(`reports by ${transport} the alert of a server that has only ${only}`, () =>
        withConnector(client, async (connector) => {
          const server = tls.createServer({
            cert: readFileSync(path.join(certs, `${HOST}.pem`)),
            key: readFileSync(path.join(certs, `${HOST}.key`)),
            minVersion: only,
            maxVersion: only,
          });
          server.on('tlsClientError', () => {});
          server.listen(0, '127.0.0.1');
          await once(server, 'listening');
          const address = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
          const result = await connector
            .connect(connectionTo(transport, { address }))
            .finally(() => server.close());
          assert.deepEqual(failure(result), ['tls', 'protocol_version']);
          assert.ok(result.tcpMs !== null);
        }));
    }
  });
}
