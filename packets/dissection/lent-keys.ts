import { createReadStream } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ByteReader, byteReader } from '../../ground/system/byte-reader.ts';
import { decodedText } from '../../ground/system/decoded-text.ts';
import { lendCopies } from '../../ground/system/lent-copies.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { makeTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';

interface LentKeys {
  file: string;
  remove: () => Promise<void>;
}

/** A key log of a day of browsing has some megabytes. */
const KEY_LOG_BYTES = 256_000_000;

/**
 * Lends tshark the keys of a capture: those of a key log, and those that the capture has behind the packets which they open, since tshark
 * reads a file once and takes them too late. Null: it needs no file.
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
  // It stays this user's, so that nothing else can be put into it.
  await chmod(folder, 0o711);
  const file = path.join(folder, 'keys');
  await writeFile(file, `${given}\n${secrets}`, { mode: 0o600 });
  await lend(file);
  return { file, remove };
}

/** A key log with a byte order mark, of which tshark would lose the first secret, or all; empty: it has none. */
async function markedText(file: string): Promise<string> {
  const head: Buffer[] = [];
  // What cannot be read is for tshark to complain of.
  try {
    for await (const piece of createReadStream(file, { end: 2 })) head.push(piece as Buffer);
  } catch {
    return '';
  }
  const mark = Buffer.concat(head).toString('latin1');
  if (!/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(mark)) return '';
  return decodedText(await readPlainFile(file, { maxBytes: KEY_LOG_BYTES }));
}

/** Types of blocks of pcapng (draft-ietf-opsawg-pcapng, section 11.1). */
const BLOCK = { section: 0x0a0d0d0a, secrets: 0x0a, packets: [0x02, 0x03, 0x06] } as const;
const LITTLE_ENDIAN = '4d3c2b1a';
const TLS_KEY_LOG = 0x544c534b;
/** Type and length in front, the length again behind. */
const BLOCK_FRAME_BYTES = 12;
/** No packet has more, and no key log that is inside a capture. */
const MOST_BLOCK_BYTES = 64_000_000;

/** TLS key logs that a pcapng has behind its first packet. */
async function lateSecrets(capture: AsyncIterable<Buffer>): Promise<string> {
  const pieces = capture[Symbol.asyncIterator]();
  const secrets: string[] = [];
  try {
    await readBlocks(byteReader(pieces), secrets);
  } catch {
    // What is damaged is for tshark to judge.
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
    if (bytes < 0 || bytes > MOST_BLOCK_BYTES) return;
    const content = await reader.bytes(bytes + 4);
    const type = number(frame, 0);
    hasPackets ||= BLOCK.packets.some((each) => each === type);
    if (type !== BLOCK.secrets || isSection || !hasPackets) continue;
    if (number(content, 0) !== TLS_KEY_LOG) continue;
    const length = number(content, 4);
    secrets.push(content.subarray(8, Math.min(8 + length, bytes)).toString('utf8'));
  }
}
