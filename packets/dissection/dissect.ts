import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import { chmod, open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { collectTail } from '../../ground/system/bounded-body.ts';
import { TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { textLines } from '../../ground/system/bounded-lines.ts';
import { gunzipped } from '../../ground/system/bounded-unpacking.ts';
import { type ByteReader, byteReader } from '../../ground/system/byte-reader.ts';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { decodeText } from '../../ground/system/decode-text.ts';
import { MachineError, UsageError } from '../../ground/system/errors.ts';
import { reasonOf } from '../../ground/system/file-error.ts';
import { lendCopies } from '../../ground/system/lent-copies.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { makeTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend, withoutRights } from '../../ground/system/unprivileged-user.ts';
import type { DissectedPacket } from './packet.ts';

const TSHARK = {
  program: 'tshark',
  remedy:
    "Install Wireshark's tshark (Debian and Ubuntu: sudo apt install tshark) and try again; captures need no program to be made.",
} as const;

const GZIP = '1f8b';

/** Magic numbers: pcap with microseconds or nanoseconds in either byte order, pcapng, and gzip. */
const BEGINNINGS = ['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a', GZIP];

const SCRIPT = path.join(import.meta.dirname, 'dissect.lua');
const STOP_LIMIT_MS = 1000;
const NOT_FOUND = 127;

export interface DissectionOptions {
  /** An NSS key log; default: the keys in the file, if any. */
  keyLogFile?: string;
  /** Non-fatal errors of tshark, such as a file that ends within a packet. */
  complain?: (complaint: string) => void;
  signal?: AbortSignal;
  /** Memory limit of tshark; default: the free memory of this machine. */
  availableBytes?: number;
}

/**
 * Yields the packets of a capture (pcap or pcapng) one by one, dissected by tshark.
 * @throws MachineError without tshark, or with too little memory for it
 * @throws UsageError if the file is no capture
 */
export async function* dissect(
  file: string,
  {
    keyLogFile,
    complain = () => {},
    signal,
    availableBytes = process.availableMemory(),
  }: DissectionOptions = {},
): AsyncGenerator<DissectedPacket> {
  await assertCapture(file);
  await assertRoom(file, availableBytes);
  const keys = await lendKeys(await unpackedCapture(file, availableBytes), keyLogFile);
  const child = startTshark(file, availableBytes, [
    ...ALWAYS,
    ...(keys === null ? [] : ['-o', `tls.keylog_file:${keys.file}`]),
    '-X',
    `lua_script:${SCRIPT}`,
  ]);
  const complaints: string[] = [];
  const said = collectTail(child.process.stderr);
  let packets = 0;
  try {
    if (child.process.stdout) {
      for await (const line of textLines(child.process.stdout, { maxBytes: MAX_LINE_BYTES })) {
        signal?.throwIfAborted();
        if (!line.startsWith('{')) continue;
        const packet = packetOf(line);
        if (packet === null) {
          if (complaints.length < MAX_COMPLAINTS) {
            complaints.push(`tshark printed a damaged line: ${line.slice(0, 40)}...`);
          }
          continue;
        }
        packets++;
        yield packet;
      }
    }
    const end = await child.ended;
    const complaint = [...said().split('\n'), ...complaints]
      .filter((each) => each !== '' && !each.startsWith('Running as user'))
      .join(' ');
    if (end === NOT_FOUND)
      throw new MachineError(
        `${TSHARK.program}, which reads captures, is not installed. ${TSHARK.remedy}`,
      );
    if (end === 0) {
      if (complaint !== '') complain(complaint);
      return;
    }
    // The usual cause of an external end is a system without free memory.
    const ended =
      typeof end === 'string' || complaint === ''
        ? `tshark ended with ${end} after ${packets} packets. ${complaint}`.trim()
        : complaint;
    if (packets === 0) throw new UsageError(`tshark cannot read ${file}: ${ended}`);
    complain(ended);
  } finally {
    await child.stop(STOP_LIMIT_MS);
    await keys?.remove();
  }
}

/** Starts tshark without rights, with the capture as stdin: it may not be allowed to open the file itself. */
function startTshark(file: string, availableBytes: number, args: readonly string[]): Child {
  const command = withoutRights([TSHARK.program, '-q', '-n', '-r', '-', ...args], {
    reads: [SCRIPT],
  });
  // No await here: Node drops the output of a program that ends before it is read.
  const capture = openSync(file, 'r');
  try {
    // Captures of small packets need more memory per byte than estimated.
    const limit = `--data=${Math.floor(availableBytes)}`;
    return startChild('/usr/bin/prlimit', [limit, ...command], { input: capture });
  } finally {
    closeSync(capture);
  }
}

/** The packet in a line of output; null: not JSON, for example because tshark was killed while it wrote. */
function packetOf(line: string): DissectedPacket | null {
  try {
    return JSON.parse(line) as DissectedPacket;
  } catch {
    return null;
  }
}

/** Rejects other files, because tshark accepts many texts as captures. */
async function assertCapture(file: string): Promise<void> {
  const beginning = await beginningOf(file);
  if (BEGINNINGS.some((known) => beginning.startsWith(known))) return;
  throw new UsageError(
    `${file} is no capture: expected a pcap or pcapng file, as written by Wireshark and tcpdump.`,
  );
}

async function beginningOf(file: string): Promise<string> {
  // Opening a named pipe would block.
  const { O_RDONLY, O_NONBLOCK } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  });
  try {
    if (!(await handle.stat()).isFile()) throw new UsageError(`${file} is not a file.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4);
    return buffer.subarray(0, bytesRead).toString('hex');
  } finally {
    await handle.close();
  }
}

/** Memory of tshark 4.0 per byte of a capture with full packets: about 10 kB per packet of any size. */
const MEMORY_PER_BYTE = 10;
/** Limit for a packet's line of output: the longest payloads have 64 kB. */
const MAX_LINE_BYTES = 64_000_000;
const MAX_COMPLAINTS = 10;

/** Prevents tshark from using all memory, whereupon the system may kill any process. */
async function assertRoom(file: string, availableBytes: number): Promise<void> {
  const maxBytes = Math.floor(availableBytes / MEMORY_PER_BYTE);
  const bytes = await captureBytes(file, maxBytes);
  if (bytes <= maxBytes) return;
  throw new MachineError(
    `${file} has at least ${gigabytes(bytes)} uncompressed, for which tshark needs about ${gigabytes(bytes * MEMORY_PER_BYTE)} of memory; ${gigabytes(availableBytes)} are free. Read a part of it, for example one connection: tshark -r ${shellWord(file)} -Y 'udp.port == PORT' -w part.pcapng`,
  );
}

/** Bytes of a capture, decompressed if gzip; errors are thrown by the iteration. */
async function unpackedCapture(file: string, maxBytes: number): Promise<AsyncIterable<Buffer>> {
  const isPacked = (await beginningOf(file)).startsWith(GZIP);
  const stream = createReadStream(file);
  return isPacked ? gunzipped(stream, maxBytes) : stream;
}

/** Number of bytes of a capture, decompressed if gzip; stops counting soon after `mostBytes`. */
async function captureBytes(file: string, maxBytes: number): Promise<number> {
  const { size } = await stat(file);
  if (size > maxBytes || !(await beginningOf(file)).startsWith(GZIP)) return size;
  let bytes = 0;
  try {
    for await (const piece of gunzipped(createReadStream(file), maxBytes)) bytes += piece.length;
  } catch (error) {
    if (error instanceof TooLargeError) return maxBytes + 1;
    // tshark reports a damaged or truncated gzip.
  }
  return Math.max(size, bytes);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

// TCP sequence numbers are analysed here, not by tshark; segments are ordered before TLS reads them.
const ALWAYS = [
  '-o',
  'tcp.relative_sequence_numbers:TRUE',
  '-o',
  'tcp.reassemble_out_of_order:TRUE',
];

interface LentKeys {
  file: string;
  remove: () => Promise<void>;
}

/** A key log of a day of browsing has some megabytes. */
const KEY_LOG_BYTES = 256_000_000;

/**
 * Lends tshark a file with the keys of a key log, and the keys in the capture that follow their packets: tshark reads a file
 * once, and would apply them too late. null: no such keys.
 */
export async function lendKeys(
  capture: AsyncIterable<Buffer>,
  keyLogFile: string | undefined,
): Promise<LentKeys | null> {
  const secrets = await lateSecrets(capture);
  const keyLog = keyLogFile === undefined ? '' : await markedText(keyLogFile);
  if (secrets === '' && keyLog === '') {
    if (keyLogFile === undefined) return null;
    const { folder, remove } = await lendCopies(path.dirname(keyLogFile), [
      path.basename(keyLogFile),
    ]);
    return { file: path.join(folder, path.basename(keyLogFile)), remove };
  }
  const given =
    keyLog === '' && keyLogFile !== undefined
      ? (await readPlainFile(keyLogFile, { maxBytes: KEY_LOG_BYTES })).toString('utf8')
      : keyLog;
  const { folder, remove } = await makeTemporaryFolder('keys');
  // The folder stays this user's, so that another user cannot put files into it.
  await chmod(folder, 0o711);
  const file = path.join(folder, 'keys');
  await writeFile(file, `${given}\n${secrets}`, { mode: 0o600 });
  await lend(file);
  return { file, remove };
}

/** Text of a key log with a byte order mark, which would make tshark skip secrets; empty: no such mark. */
async function markedText(file: string): Promise<string> {
  const head: Buffer[] = [];
  // tshark reports unreadable files.
  try {
    for await (const piece of createReadStream(file, { end: 2 })) head.push(piece as Buffer);
  } catch {
    return '';
  }
  const mark = Buffer.concat(head).toString('latin1');
  if (!/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(mark)) return '';
  return decodeText(await readPlainFile(file, { maxBytes: KEY_LOG_BYTES }));
}

/** Types of blocks of pcapng (draft-ietf-opsawg-pcapng, section 11.1). */
const BLOCK = { section: 0x0a0d0d0a, secrets: 0x0a, packets: [0x02, 0x03, 0x06] } as const;
const LITTLE_ENDIAN = '4d3c2b1a';
const TLS_KEY_LOG = 0x544c534b;
/** A block begins with its type and length, and ends with its length. */
const BLOCK_FRAME_BYTES = 12;
/** Larger blocks are not read: neither a packet nor a key log in a capture has more. */
const MAX_BLOCK_BYTES = 64_000_000;

/** TLS key logs after the first packet of a pcapng. */
async function lateSecrets(capture: AsyncIterable<Buffer>): Promise<string> {
  const pieces = capture[Symbol.asyncIterator]();
  const secrets: string[] = [];
  try {
    await readBlocks(byteReader(pieces), secrets);
  } catch {
    // tshark reports damaged files.
  } finally {
    await pieces.return?.();
  }
  return secrets.join('\n');
}

async function readBlocks(reader: ByteReader, secrets: string[]): Promise<void> {
  let isLittle = true;
  let hasPackets = false;
  for (let isFirst = true; ; isFirst = false) {
    const frame = await reader.bytes(8);
    if (frame.length < 8) return;
    const number = (bytes: Buffer, at: number) =>
      isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const isSection = frame.readUInt32BE(0) === BLOCK.section;
    // A pcap has no blocks, and no keys.
    if (isFirst && !isSection) return;
    const order = isSection ? await reader.bytes(4) : Buffer.alloc(0);
    if (isSection) isLittle = order.toString('hex') === LITTLE_ENDIAN;
    const bytes = number(frame, 4) - BLOCK_FRAME_BYTES - order.length;
    if (bytes < 0 || bytes > MAX_BLOCK_BYTES) return;
    const content = await reader.bytes(bytes + 4);
    const type = number(frame, 0);
    hasPackets ||= BLOCK.packets.some((each) => each === type);
    if (type !== BLOCK.secrets || isSection || !hasPackets) continue;
    if (number(content, 0) !== TLS_KEY_LOG) continue;
    const length = number(content, 4);
    secrets.push(content.subarray(8, Math.min(8 + length, bytes)).toString('utf8'));
  }
}
