// Run by Bun: makes one connection for each line of JSON on stdin, an AskedConnection, and prints a ConnectionMade for it, a line of JSON too.
import * as quic from 'node:quic';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import * as tls from 'node:tls';
import type { ConnectionFacts } from '../../records/connection-attempt.ts';
import type { AskedConnection, ConnectionMade } from '../connector.ts';

/** QUIC's client may send with the first secret of its 1-RTT keys: `opened` comes a round trip later, when that is confirmed. */
async function connectQuic(
  { host, address }: AskedConnection,
  keep: (line: string) => void,
): Promise<number> {
  const maySend = Promise.withResolvers<number>();
  const startMs = performance.now();
  const session = await quic.connect(address, {
    servername: host,
    alpn: 'h3',
    verifyPeer: 'manual',
    keylog: true,
    // Without an address of its own it would reach nothing but loopback.
    endpoint: { address: '0.0.0.0:0' },
  });
  session.onkeylog = (line) => {
    keep(line);
    if (line.startsWith('CLIENT_TRAFFIC_SECRET_0')) maySend.resolve(performance.now() - startMs);
  };
  session.closed.catch(maySend.reject);
  try {
    return await maySend.promise;
  } finally {
    // A server goes on sending to a client that is gone without a word.
    await session.opened.catch(() => {});
    await session.close();
  }
}

async function connectTls(
  { host, address }: AskedConnection,
  keep: (line: string) => void,
): Promise<number> {
  const end = address.lastIndexOf(':');
  const secure = Promise.withResolvers<number>();
  const startMs = performance.now();
  const socket = tls.connect(
    {
      host: address.slice(0, end),
      port: Number(address.slice(end + 1)),
      servername: host,
      ALPNProtocols: ['h2', 'http/1.1'],
      rejectUnauthorized: false,
    },
    () => secure.resolve(performance.now() - startMs),
  );
  socket.once('error', secure.reject);
  socket.on('keylog', (line) => keep(line.toString()));
  try {
    const maySendMs = await secure.promise;
    // Its last message leaves right behind, and its keys are told: neither would be once it is destroyed.
    await setImmediate();
    return maySendMs;
  } finally {
    socket.destroy();
  }
}

const NO_FACTS: ConnectionFacts = {
  tlsVersion: null,
  cipher: null,
  group: null,
  alpn: null,
  quicVersion: null,
  retry: null,
  resumed: null,
  earlyData: null,
  bytesSent: null,
  bytesReceived: null,
  certificateChainBytes: null,
  rttMs: null,
  status: null,
  bodyBytes: null,
  altSvc: null,
};

async function connect(asked: AskedConnection): Promise<ConnectionMade> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => late.reject(new Error(`no connection within ${asked.timeoutMs / 1000} s`)),
    asked.timeoutMs,
  );
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line.trimEnd());
  const connecting = asked.via === 'quic' ? connectQuic(asked, keep) : connectTls(asked, keep);
  connecting.catch(() => {}); // Told below, or late.
  const made = (told: Partial<ConnectionMade>): ConnectionMade => ({
    tcpMs: null,
    maySendMs: null,
    completeMs: null,
    confirmedMs: null,
    firstByteMs: null,
    totalMs: null,
    facts: NO_FACTS,
    error: null,
    keyLog: lines.map((line) => `${line}\n`).join(''),
    ...told,
  });
  try {
    return made({ maySendMs: await Promise.race([connecting, late.promise]) });
  } catch (error) {
    return made({ error: { layer: 'tls', code: 'failed', reason: (error as Error).message } });
  } finally {
    clearTimeout(limit);
  }
}

for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await connect(JSON.parse(line) as AskedConnection))}\n`);
}
process.exit(0);
