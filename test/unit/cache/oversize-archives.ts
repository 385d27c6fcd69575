import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readArchive } from '../../../cache/import.ts';
import { ImportError } from '../../../cache/import-error.ts';
import { IMPORT_LIMITS } from '../../../cache/limits.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function isForUsers(error: unknown): boolean {
  return error instanceof ImportError && /at most|more than/.test(error.message);
}

/** Asserts that an archive of 2 GB, a sparse file, is rejected in a sentence before it is read. */
export async function assertLargeRefused(
  t: TestContext,
  name: string,
  beginning: string,
): Promise<void> {
  const file = path.join(temporaryFolder(t), name);
  writeFileSync(file, beginning);
  truncateSync(file, 2_000_000_000);
  await assert.rejects(readArchive(file), isForUsers);
}

/** Asserts that an archive in gzip is rejected that unpacks to more than the limit. */
export async function assertBombRefused(t: TestContext, name: string): Promise<void> {
  const file = path.join(temporaryFolder(t), name);
  writeFileSync(file, gzipSync(Buffer.alloc(20_000_000, ' ')));
  const limits = { ...IMPORT_LIMITS, fileBytes: 1_000_000, totalBytes: 1_000_000 };
  await assert.rejects(readArchive(file, null, limits), isForUsers);
}
