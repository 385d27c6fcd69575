import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CLIENT_ADDRESS } from '../../network/addresses.ts';
import { captureHeader } from '../../network/capture-header.ts';
import type { Path } from '../../network/path.ts';
import { type CapturedPacket, type ReadCapture, readCapture } from '../pcapng.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

/** The path's capture since it was last applied. */
export function captureOf(made: Pick<Path, 'writeCapture'>): Promise<ReadCapture> {
  return withTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'path.pcapng');
    const names = new Map([[CLIENT_ADDRESS, ['client']]]);
    await writeFile(file, captureHeader({ program: 'a test', comment: '', names, keyLog: '' }));
    assert.deepEqual(await made.writeCapture(file), { missed: 0 });
    return readCapture(await readFile(file));
  });
}

export function withComment(packets: readonly CapturedPacket[], comment: string): CapturedPacket[] {
  return packets.filter(({ comments }) => comments.includes(comment));
}
