import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { NetLogConnections } from './connection.ts';
import { connectionsOf } from './connections.ts';

/**
 * Reads the connections of a load from Chromium's NetLog, which is whole only after Chromium has
 * ended.
 * @param sinceMs when the load began, on the clock of `netLogNowMs()`; 0: from the browser's start.
 * @throws Error when the file is missing or no NetLog; a truncated one is read as far as it goes.
 */
export async function readNetLog(file: string, sinceMs: number): Promise<NetLogConnections> {
  const input = createReadStream(file);
  try {
    return await connectionsOf(createInterface({ input }), sinceMs);
  } catch (error) {
    throw new Error(`Chromium's NetLog ${file} cannot be read: ${(error as Error).message}`);
  } finally {
    input.destroy();
  }
}
