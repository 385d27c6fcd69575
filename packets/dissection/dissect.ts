import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startChild } from '../../system/child-process.ts';
import { MachineError, UsageError } from '../../system/errors.ts';
import { reasonOf } from '../../system/file-error.ts';
import type { DissectedPacket } from './packet.ts';

/** What reads captures. */
const TSHARK = {
  program: 'tshark',
  remedy:
    "Install Wireshark's tshark (Debian and Ubuntu: sudo apt install tshark) and try again; captures need no program to be made.",
} as const;

/** Of pcap with microseconds and nanoseconds in either order of bytes, of pcapng, and of any of them in gzip. */
const BEGINNINGS = ['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a', '1f8b'];

const SCRIPT = path.join(import.meta.dirname, 'dissect.lua');
const STOP_LIMIT_MS = 1000;
const NOT_FOUND = 127;

export interface DissectionOptions {
  /** An NSS key log; left out: the keys that the file has inside, if any. */
  keyLogFile?: string;
  /** What tshark complained of without giving up, as a file that ends in the midst of a packet. */
  complain?: (complaint: string) => void;
  signal?: AbortSignal;
  /** What tshark may take; left out: what this machine has free. */
  availableBytes?: number;
}

/**
 * Yields the packets of a capture (pcap or pcapng) as tshark reads them, one by one.
 * @throws MachineError when there is no tshark, or too little memory for it
 * @throws UsageError when the file is no capture
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
  const keys = keyLogFile === undefined ? [] : ['-o', `tls.keylog_file:${keyLogFile}`];
  const child = startChild(TSHARK.program, [
    '-q',
    '-n',
    '-r',
    file,
    ...ALWAYS,
    ...keys,
    '-X',
    `lua_script:${SCRIPT}`,
  ]);
  const complaints: string[] = [];
  child.process.stderr?.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  let packets = 0;
  try {
    if (child.process.stdout) {
      for await (const line of createInterface({ input: child.process.stdout })) {
        signal?.throwIfAborted();
        if (!line.startsWith('{')) continue;
        const packet = packetOf(line);
        if (packet === null) {
          complaints.push(`A line of its output is damaged: ${line.slice(0, 40)}...\n`);
          continue;
        }
        packets++;
        yield packet;
      }
    }
    const end = await child.ended;
    const complaint = complaints
      .join('')
      .split('\n')
      .filter((each) => each !== '' && !each.startsWith('Running as user'))
      .join(' ');
    if (end === NOT_FOUND)
      throw new MachineError(
        `${TSHARK.program} is not there, which reads captures. ${TSHARK.remedy}`,
      );
    if (end === 0) {
      if (complaint !== '') complain(complaint);
      return;
    }
    // What ends it from outside is most often a system that has no memory left.
    const ended =
      typeof end === 'string' || complaint === ''
        ? `tshark ended with ${end} after ${packets} packets. ${complaint}`.trim()
        : complaint;
    if (packets === 0) throw new UsageError(`tshark cannot read ${file}: ${ended}`);
    complain(ended);
  } finally {
    await child.stop(STOP_LIMIT_MS);
  }
}

/** null: it is no JSON, as when tshark was killed while it wrote. */
function packetOf(line: string): DissectedPacket | null {
  try {
    return JSON.parse(line) as DissectedPacket;
  } catch {
    return null;
  }
}

/** tshark takes many a text for a capture of some kind. */
async function assertCapture(file: string): Promise<void> {
  const handle = await open(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4);
    const beginning = buffer.subarray(0, bytesRead).toString('hex');
    if (BEGINNINGS.some((known) => beginning.startsWith(known))) return;
  } finally {
    await handle.close();
  }
  throw new UsageError(
    `${file} is no capture: expected a pcap or pcapng file, as Wireshark and tcpdump write.`,
  );
}

/** tshark 4.0 keeps so much for each byte of a capture of full packets: about 10 kB for a packet, whatever its length. */
const MEMORY_PER_BYTE = 10;

/** Before tshark takes all memory of the machine, and the system ends whatever it likes. */
async function assertRoom(file: string, availableBytes: number): Promise<void> {
  const { size } = await stat(file);
  const neededBytes = size * MEMORY_PER_BYTE;
  if (neededBytes <= availableBytes) return;
  throw new MachineError(
    `${file} has ${gigabytes(size)}, for which tshark takes about ${gigabytes(neededBytes)} of memory; ${gigabytes(availableBytes)} are free. Read a part of it, one connection for example: tshark -r ${file} -Y 'udp.port == PORT' -w part.pcapng`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

// The sequence of TCP is ours to count; out of order segments are put in order before TLS reads them.
const ALWAYS = [
  '-o',
  'tcp.relative_sequence_numbers:TRUE',
  '-o',
  'tcp.reassemble_out_of_order:TRUE',
];
