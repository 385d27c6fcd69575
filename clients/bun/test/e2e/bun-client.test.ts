import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import http2 from 'node:http2';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { keyPem, subjectAltNames } from '../../../../certs/authority.ts';
import * as x509 from '../../../../certs/x509.ts';
import { CONNECTION_TRANSPORT_NAMES } from '../../../../ground/records/connection-transport.ts';
import { startChild } from '../../../../ground/system/child-process.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { readMachine } from '../../../../runner/machine.ts';
import {
  FRAMES,
  initialWith,
  otherVersions,
  withQuicAnswers,
} from '../../../../test/e2e/clients/refusing-quic.ts';
import { withPathBench } from '../../../../test/e2e/path-bench.ts';
import { ensureLeaves, openAuthority } from '../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import {
  type ConnectionRequest,
  type ConnectionResult,
  type Connector,
  startConnector,
} from '../../../connector.ts';
import { bun } from '../../client.ts';

const machine = readMachine();
const HOST = 'www.client.test';
/** Limit that no answered connection needs. */
const TIMEOUT_MS = 10_000;
/** Limit for silent peers: a program answers within a second beyond it. */
const SHORT_MS = 3000;
const LATEST_MS = SHORT_MS + 1000;
const MOST_TRIES = 3;

const PLAIN: Omit<ConnectionRequest, 'transport' | 'address'> = {
  host: HOST,
  authority: HOST,
  resumption: 'none',
  awaitsTicket: false,
  request: null,
  localPort: null,
  trust: null,
  timeoutMs: TIMEOUT_MS,
};

type ConnectionOptions = Partial<ConnectionRequest> &
  Pick<ConnectionRequest, 'transport' | 'address'>;

/** Runs the client while `use` makes requests, and compares its instants with the elapsed time. */
async function withClient<T>(
  use: (
    connect: (options: ConnectionOptions) => Promise<ConnectionResult>,
    connector: Connector,
  ) => Promise<T>,
  enter: readonly string[] = [],
): Promise<T> {
  const connector = startConnector([machine.bun, bun.connect.program], { enter });
  try {
    const connect = async (options: ConnectionOptions) => {
      const startMs = performance.now();
      const made = await connector.connect({ ...PLAIN, ...options });
      const tookMs = performance.now() - startMs;
      assert.ok(instantsOf(made).every((each) => each > 0 && each < tookMs));
      return made;
    };
    // The client connects on its own before the first request.
    await connect({ transport: 'tcp', address: '127.0.0.1:1' });
    return await use(connect, connector);
  } finally {
    await connector.close();
  }
}

interface Identity {
  key: string;
  certificate: string;
  authorityFile: string;
}

function withIdentity<T>(use: (identity: Identity, folder: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    await ensureLeaves([HOST], folder);
    await openAuthority(folder);
    const read = (file: string) => readFile(path.join(folder, file), 'utf8');
    const key = await read(`${HOST}.key`);
    const certificate = await read(`${HOST}.pem`);
    return use({ key, certificate, authorityFile: path.join(folder, 'CA.pem') }, folder);
  });
}

/** Listens on both loopback addresses in turn, and closes with all its connections. */
async function withListener<T>(
  server: net.Server | tls.Server | http2.Http2SecureServer,
  use: (address: string) => Promise<T>,
  ip = '127.0.0.1',
): Promise<T> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, ip);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  try {
    return await use(`${ip.includes(':') ? `[${ip}]` : ip}:${port}`);
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

function tlsServer(
  { key, certificate }: Identity,
  options: tls.TlsOptions = {},
  take: (socket: tls.TLSSocket) => void = () => {},
): tls.Server {
  return tls.createServer({ key, cert: certificate, ...options }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {});
    take(socket);
  });
}

function http2Server(
  { key, certificate }: Identity,
  take: (stream: http2.ServerHttp2Stream) => void,
): http2.Http2SecureServer {
  const server = http2.createSecureServer({ key, cert: certificate });
  server.on('session', (session) => session.on('error', () => {}));
  return server.on('stream', (stream) => {
    stream.on('error', () => {});
    take(stream);
  });
}

/** Starts Bun's HTTP/3 server on both loopback addresses. */
async function withQuicServer<T>(
  about: { key: string; certificate: string; alpn?: string },
  use: (address: string, address6: string) => Promise<T>,
): Promise<T> {
  const child = startChild(machine.bun, [
    path.join(
      import.meta.dirname,
      '..',
      '..',
      '..',
      '..',
      'test',
      'e2e',
      'clients',
      'quic-program.ts',
    ),
  ]);
  try {
    const { stdin, stdout } = child.process;
    assert.ok(stdin && stdout);
    stdin.write(`${JSON.stringify(about)}\n`);
    const [line] = await once(createInterface(stdout), 'line');
    const [address, address6] = JSON.parse(line) as [string, string];
    return await use(address, address6);
  } finally {
    await child.stop(1000);
  }
}

function instantsOf({ tcpMs, maySendMs, completeMs, confirmedMs }: ConnectionResult): number[] {
  return [tcpMs, maySendMs, completeMs, confirmedMs].filter((each) => each !== null);
}

function assertInOrder(made: ConnectionResult) {
  const instants = instantsOf(made);
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => a - b),
  );
  assert.ok((made.firstByteMs ?? 0) <= (made.totalMs ?? 0));
}

/** Fails with this layer, code and sentence, and in time: a late program is late each time. */
async function assertFails(
  connect: (options: ConnectionOptions) => Promise<ConnectionResult>,
  options: ConnectionOptions,
  [layer, code]: readonly [layer: string, code: string],
): Promise<ConnectionResult> {
  const timeoutMs = code === 'timeout' ? SHORT_MS : TIMEOUT_MS;
  for (let tries = 1; ; tries++) {
    const startMs = performance.now();
    const made = await connect({ timeoutMs, ...options });
    const tookMs = performance.now() - startMs;
    assert.deepEqual([made.error?.layer, made.error?.code], [layer, code], made.error?.reason);
    assert.match(made.error?.reason ?? '', /^Expected .+, got .+\.$/s);
    if (tookMs < LATEST_MS) return made;
    assert.ok(tries < MOST_TRIES, `${layer} ${code} took ${tookMs} ms`);
  }
}

const SITE = [
  {
    url: `https://${HOST}/`,
    type: 'document' as const,
    headers: [['content-type', 'text/html']] as [string, string][],
    body: '<!doctype html>',
  },
];

const RTT_MS = 60;
const TIMES = 4;

test('reports resumption and early data as the path observes them, in as many round trips', (t) =>
  withPathBench(SITE, async ({ networkPath, servers }) => {
    const addressOf = (stack: string) =>
      servers.find((each) => each.stack.stack === stack)?.origins[HOST] ?? '';
    const h3 = addressOf('lsquic-h3');
    const h2 = addressOf('bun-h2');
    const request = { path: '/' };
    const enter = networkPath.agent.enter('client');
    await withClient(async (connect) => {
      // Transport, server, what is resumed, what the path observes, and round trips until the
      // client may send and until the response.
      for (const [transport, address, resumption, seen, maySend, firstByte] of [
        ['quic', h3, 'none', 'full', 1, 2],
        ['quic', h3, 'ticket', 'resumed', 1, 2],
        ['quic', h3, 'early-data', 'resumed', 0, 1],
        ['tls1.3', h2, 'none', 'full', 2, 3],
        ['tls1.3', h2, 'ticket', 'resumed', 2, 3],
        ['tls1.2', h2, 'none', 'full', 3, 4],
        ['tls1.2', h2, 'ticket', 'resumed', 2, 3],
      ] as const) {
        const about = `${transport}, ${resumption}`;
        const common = { transport, address, request, timeoutMs: 5000 };
        const isEarly = resumption === 'early-data';
        const all: ConnectionResult[] = [];
        for (let time = 0; time < TIMES; time++) {
          await networkPath.apply({ ...NOTHING_ADDED, rttMs: 0, seed: 1 });
          const before = await connect({ ...common, awaitsTicket: true });
          assert.equal(before.error, null, about);
          await networkPath.apply({ ...NOTHING_ADDED, rttMs: RTT_MS, seed: 1 });
          const made = await connect({ ...common, resumption });
          all.push(made);
          assert.equal(made.error, null, about);
          const { opened } = await networkPath.connections(made.keyLog);
          const offered = { none: 'full', ticket: 'resumption', 'early-data': 'early-data' }[
            resumption
          ];
          assert.deepEqual(
            opened.map((each) => [each.offered, each.handshake, each.earlyData, each.tlsVersion]),
            [[offered, seen, isEarly ? 'accepted' : 'none', made.facts.tlsVersion]],
            about,
          );
          const { resumed, earlyData, status, certificateChainBytes } = made.facts;
          assert.equal(resumed, resumption === 'none' ? null : true, about);
          assert.equal(earlyData, isEarly ? 'accepted' : null, about);
          assert.equal(status, 200, about);
          assert.equal(certificateChainBytes === null, seen === 'resumed', about);
        }
        // A disturbance of a connection only adds to it.
        const trips = (instant: (made: ConnectionResult) => number | null) =>
          Math.min(...all.map((made) => instant(made) ?? Number.NaN)) / RTT_MS;
        const took = {
          maySend: trips(({ maySendMs }) => maySendMs),
          firstByte: trips(({ firstByteMs }) => firstByteMs),
          rtt: trips(({ facts }) => facts.rttMs),
        };
        t.diagnostic(`${about}: ${JSON.stringify(took)}`);
        assert.equal(Math.floor(took.maySend), maySend, about);
        assert.equal(Math.floor(took.firstByte), firstByte, about);
        assert.ok(took.rtt > 0.9 && took.rtt < 1.3, `${about}: ${took.rtt}`);
      }
    }, enter);
  }));

test('connects over IPv4 and IPv6 by each transport, from the requested port, and reports the agreed parameters', () =>
  withIdentity((identity) =>
    withClient((connect) =>
      withQuicServer(identity, async (quic4, quic6) => {
        for (const [ip, quic] of [
          ['127.0.0.1', quic4],
          ['::1', quic6],
        ] as const) {
          const ports: number[] = [];
          const server = tlsServer(identity, { ALPNProtocols: ['h2'] });
          server.on('connection', ({ remotePort }) => ports.push(remotePort ?? 0));
          await withListener(
            server,
            async (tcp) => {
              for (const transport of CONNECTION_TRANSPORT_NAMES) {
                const address = transport === 'quic' ? quic : tcp;
                const localPort = await freePort(ip);
                const made = await connect({ transport, address, localPort });
                assert.equal(made.error, null, `${transport} ${ip}: ${made.error?.reason}`);
                assertInOrder(made);
                assert.equal(made.tcpMs === null, transport === 'quic');
                assert.equal(made.confirmedMs === null, transport !== 'quic');
                assert.equal(made.firstByteMs, null);
                const { tlsVersion, alpn, cipher, group } = made.facts;
                const expected = {
                  quic: ['TLS 1.3', 'h3'],
                  'tls1.3': ['TLS 1.3', 'h2'],
                  'tls1.2': ['TLS 1.2', 'h2'],
                  tcp: [null, null],
                }[transport];
                assert.deepEqual([tlsVersion, alpn], expected);
                assert.equal(group, transport === 'tcp' ? null : 'X25519');
                assert.match(
                  cipher ?? 'none',
                  transport === 'tcp' ? /^none$/ : /^TLS_\w+_SHA(256|384)$/,
                );
                assert.equal(made.keyLog === '', transport === 'tcp');
                while (transport !== 'quic' && !ports.includes(localPort)) await sleep(5);
              }
            },
            ip,
          );
        }
      }),
    ),
  ));

async function freePort(ip: string): Promise<number> {
  return withListener(net.createServer(), async (address) => Number(address.split(':').at(-1)), ip);
}

test('times and measures a response by HTTP/3, HTTP/2 and HTTP/1.1', () =>
  withIdentity((identity) =>
    withClient(async (connect) => {
      const assertAnswered = (made: ConnectionResult, alpn: string | null) => {
        assert.equal(made.error, null, made.error?.reason);
        assertInOrder(made);
        assert.ok((made.firstByteMs ?? 0) > (made.maySendMs ?? Number.NaN));
        const { status, bodyBytes, altSvc } = made.facts;
        assert.deepEqual([made.facts.alpn, status, bodyBytes, altSvc], [alpn, 200, 5, 'h3=":443"']);
      };
      const request = { path: '/x' };
      await withQuicServer(identity, async (address, address6) => {
        assertAnswered(await connect({ transport: 'quic', address, request }), 'h3');
        assertAnswered(await connect({ transport: 'quic', address: address6, request }), 'h3');
      });
      const h2 = http2Server(identity, (stream) => {
        stream.respond({ ':status': 200, 'alt-svc': 'h3=":443"' });
        stream.end('hello');
      });
      await withListener(h2, async (address) => {
        assertAnswered(await connect({ transport: 'tls1.3', address, request }), 'h2');
        assertAnswered(await connect({ transport: 'tls1.2', address, request }), 'h2');
      });
      for (const [ALPNProtocols, answer] of [
        [['http/1.1'], 'content-length: 5\r\n\r\nhello'],
        [['http/1.1'], 'transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
        [undefined, '\r\nhello'],
      ] as const) {
        const head = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nAlt-Svc: h3=":443"\r\n';
        const h1 = tlsServer(
          identity,
          ALPNProtocols && { ALPNProtocols: [...ALPNProtocols] },
          (socket) => socket.once('data', () => socket.end(head + answer)),
        );
        await withListener(h1, async (address) => {
          const made = await connect({ transport: 'tls1.3', address, request });
          assertAnswered(made, ALPNProtocols?.[0] ?? null);
        });
      }
    }),
  ));

test('keeps tickets by host and address, uses them once, and reports what the program cannot do', () =>
  withIdentity((identity) =>
    withClient((connect) =>
      withQuicServer(identity, async (quic) => {
        const reused: boolean[] = [];
        const server = tlsServer(identity, {}, (socket) => reused.push(socket.isSessionReused()));
        await withListener(server, async (tcp) => {
          for (const transport of ['quic', 'tls1.3', 'tls1.2'] as const) {
            const common = { transport, address: transport === 'quic' ? quic : tcp };
            const ticket = { ...common, resumption: 'ticket' } as const;
            const none = ['client', 'no-ticket'] as const;
            await assertFails(connect, ticket, none);
            const first = await connect({ ...common, awaitsTicket: true });
            assert.equal(first.error, null);
            await assertFails(connect, { ...ticket, host: 'other.client.test' }, none);
            const second = await connect(ticket);
            assert.deepEqual([second.error, second.facts.resumed], [null, true], transport);
            if (transport !== 'quic') assert.equal(reused.at(-1), true, transport);
          }
          const early = await connect({ transport: 'quic', address: quic, awaitsTicket: true });
          assert.equal(early.error, null);
          const made = await connect({
            transport: 'quic',
            address: quic,
            resumption: 'early-data',
            request: { path: '/' },
          });
          assert.deepEqual(
            [made.error, made.facts.resumed, made.facts.earlyData],
            [null, true, 'accepted'],
          );
          const unsupported = ['client', 'unsupported'] as const;
          for (const transport of ['tls1.3', 'tls1.2', 'tcp'] as const) {
            await assertFails(
              connect,
              { transport, address: tcp, resumption: 'early-data' },
              unsupported,
            );
          }
          await assertFails(
            connect,
            { transport: 'tcp', address: tcp, resumption: 'ticket' },
            unsupported,
          );
          await assertFails(
            connect,
            { transport: 'tcp', address: tcp, request: { path: '/' } },
            unsupported,
          );
        });
      }),
    ),
  ));

test('makes a full handshake with a server that forgot a ticket, and sends early data again', () =>
  withIdentity((identity) =>
    withClient(async (connect) => {
      // The same address with another server behind it: a relay that switches.
      await withTurnedServer(identity, async (address, turn) => {
        for (const resumption of ['ticket', 'early-data'] as const) {
          const before = await connect({ transport: 'quic', address, awaitsTicket: true });
          assert.equal(before.error, null, before.error?.reason);
          turn();
          const made = await connect({
            transport: 'quic',
            address,
            resumption,
            request: { path: '/' },
          });
          assert.equal(made.error, null, made.error?.reason);
          assert.equal(made.facts.resumed, false, resumption);
          assert.equal(made.facts.earlyData, resumption === 'ticket' ? null : 'rejected');
          assert.deepEqual([made.facts.status, made.facts.bodyBytes], [200, 5]);
        }
      });
    }),
  ));

/** Two QUIC servers behind one address: each switch selects the second one or the first again. */
function withTurnedServer<T>(
  identity: Identity,
  use: (address: string, turn: () => void) => Promise<T>,
): Promise<T> {
  return withQuicServer(identity, (first) =>
    withQuicServer(identity, async (second) => {
      let [now, next] = [first, second];
      const inner = dgram.createSocket('udp4');
      const outer = dgram.createSocket('udp4').bind(0, '127.0.0.1');
      await once(outer, 'listening');
      let client: dgram.RemoteInfo | undefined;
      outer.on('message', (datagram, from) => {
        client = from;
        inner.send(datagram, Number(now.split(':')[1]), '127.0.0.1');
      });
      inner.on('message', (datagram, from) => {
        // Late packets of the replaced server to a client that is gone.
        if (client && from.port === Number(now.split(':')[1])) {
          outer.send(datagram, client.port, client.address);
        }
      });
      try {
        return await use(`127.0.0.1:${outer.address().port}`, () => {
          [now, next] = [next, now];
        });
      } finally {
        inner.close();
        outer.close();
      }
    }),
  );
}

test('reports a TCP or TLS failure with its layer and its name', () =>
  withIdentity((identity) =>
    withClient(async (connect) => {
      const transport = 'tls1.3';
      const raw = (take: (socket: net.Socket) => void) => net.createServer(take);
      const afterHello = (answer: (socket: net.Socket) => void) =>
        raw((socket) => socket.once('data', () => answer(socket)));
      const alert = (number: number) =>
        afterHello((socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, number])));
      const rsaAlone = { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;
      for (const [server, options, expected] of [
        [tlsServer(identity, { maxVersion: 'TLSv1.2' }), { transport }, 'protocol_version'],
        [
          tlsServer(identity, { minVersion: 'TLSv1.3' }),
          { transport: 'tls1.2' },
          'protocol_version',
        ],
        [
          tlsServer(identity, { ALPNProtocols: ['spdy'] }),
          { transport },
          'no_application_protocol',
        ],
        [tlsServer(identity, rsaAlone), { transport: 'tls1.2' }, 'handshake_failure'],
        [alert(112), { transport }, 'unrecognized_name'],
        [alert(49), { transport }, 'access_denied'],
        [alert(255), { transport }, 'alert_255'],
        [afterHello((socket) => socket.resetAndDestroy()), { transport }, 'ECONNRESET'],
        [afterHello((socket) => socket.end()), { transport }, 'closed'],
        [
          afterHello((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
          { transport },
          'WRONG_VERSION_NUMBER',
        ],
        [raw((socket) => socket.resume()), { transport }, 'timeout'],
      ] as const) {
        const made = await withListener(server, (address) =>
          assertFails(connect, { address, ...options }, ['tls', expected]),
        );
        assert.ok((made.tcpMs ?? 0) > 0, 'TCP was connected before');
        assert.deepEqual([made.maySendMs, made.facts.tlsVersion], [null, null]);
      }
      const closed = `127.0.0.1:${await freePort('127.0.0.1')}`;
      await assertFails(connect, { transport, address: closed }, ['tcp', 'ECONNREFUSED']);
      await assertFails(connect, { transport: 'tcp', address: closed }, ['tcp', 'ECONNREFUSED']);
      await withListener(net.createServer(), async (address) => {
        const localPort = Number(address.split(':')[1]);
        const made = await connect({ transport: 'tcp', address: closed, localPort });
        assert.equal(made.error?.layer, 'client', made.error?.reason);
      });
    }),
  ));

test('reports a host without a route as unreachable, not as a refusal', () =>
  // A network namespace without any route.
  withClient(
    async (connect) => {
      for (const address of ['192.0.2.1:443', '198.51.100.1:1']) {
        await assertFails(connect, { transport: 'tls1.3', address }, ['tcp', 'ENETUNREACH']);
        await assertFails(connect, { transport: 'quic', address }, ['udp', 'ENETUNREACH']);
      }
    },
    ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
  ));

test('reports a server that answers no SYN as a TCP timeout', () =>
  withClient(async (connect) => {
    // A stopped server accepts nothing, and the kernel queues only a limited number of connections.
    const listens =
      'require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () { console.log(this.address().port) })';
    const child = startChild(process.execPath, ['-e', listens]);
    const fillers: net.Socket[] = [];
    try {
      const { stdout, pid } = child.process;
      assert.ok(stdout && pid);
      const [port] = await once(createInterface(stdout), 'line');
      process.kill(pid, 'SIGSTOP');
      for (let index = 0; index < 6; index++) {
        fillers.push(net.connect(Number(port), '127.0.0.1').on('error', () => {}));
      }
      await sleep(100);
      const address = `127.0.0.1:${port}`;
      const made = await assertFails(connect, { transport: 'tls1.3', address }, ['tcp', 'timeout']);
      assert.equal(made.tcpMs, null);
    } finally {
      for (const filler of fillers) filler.destroy();
      if (child.process.pid) process.kill(child.process.pid, 'SIGCONT');
      await child.stop(1000);
    }
  }));

test('reports a QUIC failure with its layer and its name', () =>
  withIdentity((identity) =>
    withClient(async (connect) => {
      const transport = 'quic';
      const closed = `127.0.0.1:${await freePort('127.0.0.1')}`;
      await assertFails(connect, { transport, address: closed }, ['udp', 'timeout']);
      for (const [answer, expected] of [
        [() => null, ['udp', 'timeout']],
        [initialWith(FRAMES.acknowledgement), ['quic', 'timeout']],
        [() => Buffer.from('hello'), ['quic', 'timeout']],
        [otherVersions, ['quic', 'VERSION_NEGOTIATION']],
        [initialWith(FRAMES.close(0x2)), ['quic', 'CONNECTION_REFUSED']],
        [initialWith(FRAMES.close(0xb)), ['quic', 'INVALID_TOKEN']],
        [initialWith(FRAMES.close(0x100 + 40)), ['tls', 'handshake_failure']],
        [initialWith(FRAMES.close(0x100 + 112)), ['tls', 'unrecognized_name']],
      ] as const) {
        const made = await withQuicAnswers(answer, (address) =>
          assertFails(connect, { transport, address }, expected),
        );
        assert.equal(made.maySendMs, null);
      }
      await withQuicServer({ ...identity, alpn: 'other' }, (address) =>
        assertFails(connect, { transport, address }, ['tls', 'no_application_protocol']),
      );
      const busy = dgram.createSocket('udp4').bind(0, '0.0.0.0');
      await once(busy, 'listening');
      const localPort = busy.address().port;
      await assertFails(connect, { transport, address: closed, localPort }, [
        'client',
        'no-socket',
      ]);
      busy.close();
    }),
  ));

test('reports a missing or truncated response by its HTTP error', () =>
  withIdentity((identity) =>
    withClient(async (connect) => {
      const transport = 'tls1.3';
      const request = { path: '/x' };
      const http1 = (answer: (socket: tls.TLSSocket) => void) =>
        tlsServer(identity, {}, (socket) => socket.once('data', () => answer(socket)));
      const begun = (stream: http2.ServerHttp2Stream, then: () => void) => {
        stream.respond({ ':status': 200 });
        stream.write('abc', () => setTimeout(then, 20));
      };
      for (const [server, expected] of [
        [http1((socket) => socket.end()), 'closed'],
        [
          http1((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')),
          'closed',
        ],
        [http1((socket) => socket.end('hello there\r\n\r\n')), 'malformed'],
        [http1(() => {}), 'timeout'],
        [http2Server(identity, (stream) => stream.close(7)), 'REFUSED_STREAM'],
        [
          http2Server(identity, (stream) => begun(stream, () => stream.destroy(new Error('cut')))),
          'INTERNAL_ERROR',
        ],
        [
          http2Server(identity, (stream) => begun(stream, () => stream.session?.destroy())),
          'closed',
        ],
        [http2Server(identity, () => {}), 'timeout'],
      ] as const) {
        const made = await withListener(server, (address) =>
          assertFails(connect, { transport, address, request }, ['http', expected]),
        );
        assert.ok((made.maySendMs ?? 0) > 0, 'the connection was made');
        assert.equal(made.totalMs, null);
      }
      await withQuicServer(identity, async (address) => {
        for (const [path, code] of [
          ['/silent', 'timeout'],
          ['/reset', 'H3_REQUEST_REJECTED'],
          ['/close', 'H3_INTERNAL_ERROR'],
        ] as const) {
          await assertFails(connect, { transport: 'quic', address, request: { path } }, [
            'http',
            code,
          ]);
        }
      });
    }),
  ));

test('gives an unexpected certificate the same name by QUIC and TLS', () =>
  withIdentity((identity, folder) =>
    withClient(async (connect) => {
      const foreign = path.join(folder, 'foreign');
      await ensureLeaves([HOST], foreign);
      await openAuthority(foreign);
      const trusted = identity.authorityFile;
      const expired = await selfSigned(folder, -2);
      const early = await selfSigned(folder, 1);
      const other = await selfSigned(folder, -0.5);
      for (const [served, trust, host, code] of [
        [identity, trusted, HOST, null],
        [identity, trusted, 'other.client.test', 'HOSTNAME_MISMATCH'],
        [identity, path.join(foreign, 'CA.pem'), HOST, 'CERT_SIGNATURE_FAILURE'],
        [identity, other.authorityFile, HOST, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
        [identity, 'system', HOST, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
        [other, trusted, HOST, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
        [other, other.authorityFile, HOST, null],
        [expired, expired.authorityFile, HOST, 'CERT_HAS_EXPIRED'],
        [early, early.authorityFile, HOST, 'CERT_NOT_YET_VALID'],
        [expired, null, HOST, null],
      ] as const) {
        await withQuicServer(served, (quic) =>
          withListener(tlsServer(served), async (tcp) => {
            for (const transport of ['quic', 'tls1.3', 'tls1.2'] as const) {
              const options = {
                transport,
                address: transport === 'quic' ? quic : tcp,
                trust,
                host,
              };
              if (code === null) {
                const made = await connect(options);
                assert.equal(made.error, null, `${transport}: ${made.error?.reason}`);
              } else await assertFails(connect, options, ['tls', code]);
            }
          }),
        );
      }
    }),
  ));

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A self-signed certificate, valid for one day in the future. */
async function selfSigned(folder: string, fromDay: number): Promise<Identity> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${HOST}`,
    notBefore: new Date(Date.now() + fromDay * DAY_MS),
    notAfter: new Date(Date.now() + (fromDay + 1) * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [subjectAltNames([HOST])],
  });
  const certificate = made.toString('pem');
  const authorityFile = path.join(folder, `from-${fromDay}.pem`);
  await writeFile(authorityFile, certificate);
  return { key: await keyPem(keys.privateKey), certificate, authorityFile };
}

test('leaves neither files nor memory behind after many connections', () =>
  withIdentity((identity) =>
    withClient((connect, { pid }) =>
      withQuicServer(identity, (quic) =>
        withListener(tlsServer(identity), async (tcp) => {
          const closed = `127.0.0.1:${await freePort('127.0.0.1')}`;
          const kinds: ConnectionOptions[] = [
            { transport: 'quic', address: quic },
            { transport: 'quic', address: quic, request: { path: '/' } },
            { transport: 'quic', address: quic, awaitsTicket: true },
            { transport: 'quic', address: closed, timeoutMs: 5 },
            { transport: 'tls1.3', address: tcp },
            { transport: 'tls1.2', address: tcp },
            { transport: 'tls1.3', address: closed },
            { transport: 'tcp', address: tcp },
          ];
          const makeAll = async (rounds: number) => {
            for (let round = 0; round < rounds; round++) {
              for (const kind of kinds) {
                const made = await connect(kind);
                assert.equal(made.error === null, kind.address !== closed, made.error?.reason);
              }
            }
          };
          await makeAll(20);
          const before = await held(pid);
          await makeAll(125);
          let after = await held(pid);
          // The last ones may still be closed.
          for (let wait = 0; wait < 100 && after.files > before.files; wait++) {
            await sleep(100);
            after = await held(pid);
          }
          assert.ok(after.files <= before.files, `${before.files} files, then ${after.files}`);
          assert.ok(after.mb < before.mb + 30, `${before.mb} MB, then ${after.mb} MB`);
        }),
      ),
    ),
  ));

async function held(pid: number): Promise<{ files: number; mb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { files: readdirSync(`/proc/${pid}/fd`).length, mb: kb / 1024 };
}
