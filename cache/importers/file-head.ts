import { open, stat } from 'node:fs/promises';
import { unpack } from '../../ground/system/bounded-unpacking.ts';

/** Bytes that tell a format. */
const HEAD_BYTES = 4096;
/** As many as gzip can make of them, and more. */
const UNPACKED_HEAD_BYTES = 8_000_000;

/** The beginning of a regular file, at most 4 kB, unpacked where it is gzip; null: no regular file, or it cannot be read. */
export async function headOf(file: string): Promise<Buffer | null> {
  const raw = await rawHeadOf(file);
  if (raw === null || !isGzip(raw)) return raw;
  try {
    return unpack(raw, 'gzip', UNPACKED_HEAD_BYTES, { isHead: true }).subarray(0, HEAD_BYTES);
  } catch {
    return raw;
  }
}

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The beginning of a regular file as it lies on the disk; null as of `headOf`. */
export async function rawHeadOf(file: string): Promise<Buffer | null> {
  // Not before: opening a named pipe waits for somebody who writes into it.
  if (!(await stat(file).catch(() => null))?.isFile()) return null;
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
