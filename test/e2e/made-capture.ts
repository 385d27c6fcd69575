import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import tls from 'node:tls';
import { certificatesFolder } from '../../certs/authority.ts';
import { TCP_FLAG } from '../../packets/dissection/packet.ts';
import { ensureLeaves } from '../leaves.ts';

/** The sender. */
export type From = 'client' | 'server';

/** Data that one side wrote at once. */
export interface WrittenPacket {
  from: From;
  bytes: Buffer;
}

/** A frame of a capture. */
export interface Frame {
  atMs: number;
  bytes: Buffer;
}

export const ENDS = {
  client: { ip: '192.0.2.1', port: 50_000 },
  server: { ip: '192.0.2.2', port: 443 },
} as const;

/** Bytes before an IP packet, by the link type of the file. */
export const LINKS: Record<string, { type: number; head: (isIpv6: boolean) => Buffer }> = {
  Ethernet: { type: 1, head: (isIpv6) => Buffer.concat([Buffer.alloc(12), etherType(isIpv6)]) },
  'Ethernet with a VLAN': {
    type: 1,
    head: (isIpv6) =>
      Buffer.concat([Buffer.alloc(12), Buffer.of(0x81, 0, 0, 5), etherType(isIpv6)]),
  },
  'raw IP': { type: 101, head: () => Buffer.alloc(0) },
  'Linux cooked': {
    type: 113,
    head: (isIpv6) => Buffer.concat([Buffer.alloc(14), etherType(isIpv6)]),
  },
  'Linux cooked, version 2': {
    type: 276,
    head: (isIpv6) => Buffer.concat([etherType(isIpv6), Buffer.alloc(18)]),
  },
  loopback: { type: 0, head: (isIpv6) => Buffer.of(isIpv6 ? 30 : 2, 0, 0, 0) },
};

function etherType(isIpv6: boolean): Buffer {
  return isIpv6 ? Buffer.of(0x86, 0xdd) : Buffer.of(0x08, 0x00);
}

/**
 * Makes a TLS request from a client to a server, and returns both sides' data and their key log.
 */
export async function tlsTalk(
  version: 'TLSv1.2' | 'TLSv1.3',
  talk: (client: Duplex, server: Duplex) => Promise<void>,
  protocol = 'http/1.1',
): Promise<{ written: WrittenPacket[]; keyLog: string }> {
  const host = 'www.example.org';
  const [near, far] = duplexPair();
  const written: WrittenPacket[] = [];
  for (const [side, from] of [
    [near, 'client'],
    [far, 'server'],
  ] as const) {
    const write = side.write.bind(side) as (bytes: Buffer, ...rest: unknown[]) => boolean;
    side.write = ((bytes: Buffer, ...rest: unknown[]) => {
      written.push({ from, bytes: Buffer.from(bytes) });
      return write(bytes, ...rest);
    }) as Duplex['write'];
  }
  const versions = { minVersion: version, maxVersion: version, ALPNProtocols: [protocol] } as const;
  await ensureLeaves([host]);
  const [key, cert] = await Promise.all(
    ['key', 'pem'].map((kind) => readFile(path.join(certificatesFolder, `${host}.${kind}`))),
  );
  const server = new tls.TLSSocket(far, { isServer: true, key, cert, ...versions });
  const client = tls.connect({
    socket: near,
    servername: host,
    rejectUnauthorized: false,
    ...versions,
  });
  const lines: Buffer[] = [];
  client.on('keylog', (line: Buffer) => lines.push(line));
  await once(client, 'secureConnect');
  await talk(client, server);
  const closed = once(server, 'end');
  server.resume();
  client.end();
  await closed;
  return { written, keyLog: Buffer.concat(lines).toString() };
}

/** The written data as segments of a TCP connection, from the SYN on, a frame each ms. */
export function tcpFrames(
  written: readonly WrittenPacket[],
  {
    link = 'Ethernet',
    isIpv6 = false,
    first = { client: 1000, server: 2000 },
    mssBytes = 1400,
    clientPort = ENDS.client.port as number,
    beginMs = 0,
  } = {},
): Frame[] {
  const next: Record<From, number> = { ...first };
  const frames: Frame[] = [];
  const send = (from: From, flags: number, data: Buffer = Buffer.alloc(0)) => {
    const to = from === 'client' ? 'server' : 'client';
    const head = Buffer.alloc(20);
    const ports = { client: clientPort, server: ENDS.server.port };
    head.writeUInt16BE(ports[from], 0);
    head.writeUInt16BE(ports[to], 2);
    head.writeUInt32BE(next[from] % 2 ** 32, 4);
    head.writeUInt32BE(flags & TCP_FLAG.ack ? next[to] % 2 ** 32 : 0, 8);
    head.writeUInt16BE(0x5000 | flags, 12);
    head.writeUInt16BE(65_535, 14);
    next[from] += data.length + (flags & (TCP_FLAG.syn | TCP_FLAG.fin) ? 1 : 0);
    const bytes = ipPacket(from, 6, Buffer.concat([head, data]), isIpv6);
    frames.push({ atMs: beginMs + frames.length, bytes: linked(bytes, link, isIpv6) });
  };
  send('client', TCP_FLAG.syn);
  send('server', TCP_FLAG.syn | TCP_FLAG.ack);
  send('client', TCP_FLAG.ack);
  for (const { from, bytes } of written) {
    for (let at = 0; at < bytes.length; at += mssBytes)
      send(from, TCP_FLAG.ack | TCP_FLAG.push, bytes.subarray(at, at + mssBytes));
    send(from === 'client' ? 'server' : 'client', TCP_FLAG.ack);
  }
  for (const from of ['client', 'server'] as const) send(from, TCP_FLAG.ack | TCP_FLAG.fin);
  send('client', TCP_FLAG.ack);
  return frames;
}

/** A datagram of UDP as an IP packet. */
export function udpPacket(from: From, data: Buffer, isIpv6 = false): Buffer {
  const to = from === 'client' ? 'server' : 'client';
  const head = Buffer.alloc(8);
  head.writeUInt16BE(ENDS[from].port, 0);
  head.writeUInt16BE(ENDS[to].port, 2);
  head.writeUInt16BE(8 + data.length, 4);
  return ipPacket(from, 17, Buffer.concat([head, data]), isIpv6);
}

/** An IP packet in fragments; `mostBytes` of its content in each but the last, a multiple of 8. */
export function fragmentsOf(packet: Buffer, maxBytes: number, isIpv6 = false): Buffer[] {
  const headBytes = isIpv6 ? 40 : 20;
  const content = packet.subarray(headBytes);
  const pieces: Buffer[] = [];
  for (let at = 0; at < content.length; at += maxBytes) {
    const more = at + maxBytes < content.length;
    const piece = content.subarray(at, at + maxBytes);
    const head = Buffer.from(packet.subarray(0, headBytes));
    if (isIpv6) {
      const extension = Buffer.alloc(8);
      extension[0] = head[6] as number;
      head[6] = 44;
      extension.writeUInt16BE(at | (more ? 1 : 0), 2);
      extension.writeUInt32BE(7, 4);
      head.writeUInt16BE(piece.length + 8, 4);
      pieces.push(Buffer.concat([head, extension, piece]));
    } else {
      head.writeUInt16BE(20 + piece.length, 2);
      head.writeUInt16BE(7, 4);
      head.writeUInt16BE((at / 8) | (more ? 0x2000 : 0), 6);
      pieces.push(Buffer.concat([head, piece]));
    }
  }
  return pieces;
}

function ipPacket(from: From, protocol: number, content: Buffer, isIpv6: boolean): Buffer {
  const to = from === 'client' ? 'server' : 'client';
  if (isIpv6) {
    const head = Buffer.alloc(40);
    head[0] = 0x60;
    head.writeUInt16BE(content.length, 4);
    head[6] = protocol;
    head[7] = 64;
    for (const [side, at] of [
      [from, 8],
      [to, 24],
    ] as const) {
      head.writeUInt32BE(0x20010db8, at);
      head[at + 15] = side === 'client' ? 1 : 2;
    }
    return Buffer.concat([head, content]);
  }
  const head = Buffer.alloc(20);
  head[0] = 0x45;
  head.writeUInt16BE(20 + content.length, 2);
  head[8] = 64;
  head[9] = protocol;
  head.set(ENDS[from].ip.split('.').map(Number), 12);
  head.set(ENDS[to].ip.split('.').map(Number), 16);
  return Buffer.concat([head, content]);
}

/** An IP packet with its link-layer bytes. */
export function linked(packet: Buffer, link = 'Ethernet', isIpv6 = false): Buffer {
  return Buffer.concat([(LINKS[link] as (typeof LINKS)[string]).head(isIpv6), packet]);
}

/** A pcap file; times with ns unless with µs. */
export function pcap(
  frames: readonly Frame[],
  { link = 'Ethernet', snapBytes = 262_144, unit = 'ns' as 'ns' | 'us' } = {},
): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(unit === 'ns' ? 0xa1b23c4d : 0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(snapBytes, 16);
  head.writeUInt32LE((LINKS[link] as (typeof LINKS)[string]).type, 20);
  const records = frames.flatMap(({ atMs, bytes }) => {
    const kept = bytes.subarray(0, snapBytes);
    const record = Buffer.alloc(16);
    record.writeUInt32LE(1_700_000_000 + Math.floor(atMs / 1000), 0);
    record.writeUInt32LE(Math.round((atMs % 1000) * (unit === 'ns' ? 1e6 : 1e3)), 4);
    record.writeUInt32LE(kept.length, 8);
    record.writeUInt32LE(bytes.length, 12);
    return [record, kept];
  });
  return Buffer.concat([head, ...records]);
}

/** A pcapng file, with the key log inside if there is one, also behind its packets. */
export function pcapng(
  frames: readonly Frame[],
  { link = 'Ethernet', keyLog = '', lateKeyLog = '' } = {},
): Buffer {
  const section = Buffer.alloc(16);
  section.writeUInt32LE(0x1a2b3c4d, 0);
  section.writeUInt16LE(1, 4);
  section.fill(0xff, 8);
  const face = Buffer.alloc(8);
  face.writeUInt16LE((LINKS[link] as (typeof LINKS)[string]).type, 0);
  const secretsOf = (text: string) => {
    const secrets = Buffer.alloc(8);
    secrets.writeUInt32LE(0x544c534b, 0);
    secrets.writeUInt32LE(Buffer.byteLength(text), 4);
    return text === '' ? [] : [block(10, Buffer.concat([secrets, Buffer.from(text)]))];
  };
  return Buffer.concat([
    block(0x0a0d0d0a, section),
    block(1, face),
    ...secretsOf(keyLog),
    ...frames.map(({ atMs, bytes }) => {
      const head = Buffer.alloc(20);
      const time = BigInt(Math.round(1.7e15 + atMs * 1000));
      head.writeUInt32LE(Number(time >> 32n), 4);
      head.writeUInt32LE(Number(time & 0xffff_ffffn), 8);
      head.writeUInt32LE(bytes.length, 12);
      head.writeUInt32LE(bytes.length, 16);
      return block(6, Buffer.concat([head, bytes]));
    }),
    ...secretsOf(lateKeyLog),
  ]);
}

function block(type: number, body: Buffer): Buffer {
  const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32LE(type, 0);
  ends.writeUInt32LE(padded.length + 12, 4);
  return Buffer.concat([ends, padded, ends.subarray(4)]);
}
