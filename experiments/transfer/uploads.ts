import { setTimeout as sleep } from 'node:timers/promises';
import { SIZED_PATHS } from '../../cache/sized-site.ts';
import type { ReadyServer } from '../measuring.ts';

/** What a server says of the uploads that it has answered. */
interface Uploads {
  /** Bytes of bodies that it read, when it has told of all of them or is late to; null: it tells nothing of them. */
  receivedBytes(expectedBytes: number): Promise<number | null>;
  close(): void;
}

/** The line of an answer may come after the answer. */
const TELLS_MS = 500;
const STEP_MS = 5;

/** Listens to a server from now on. */
export function listenForUploads(server: ReadyServer): Uploads {
  let received: number | null = null;
  const close = server.follow((line) => {
    const bytes = receivedIn(line);
    if (bytes !== null) received = (received ?? 0) + bytes;
  });
  return {
    async receivedBytes(expectedBytes) {
      for (let waitedMs = 0; (received ?? -1) < expectedBytes; waitedMs += STEP_MS) {
        if (waitedMs >= TELLS_MS) break;
        await sleep(STEP_MS);
      }
      return received;
    },
    close,
  };
}

function receivedIn(line: string): number | null {
  if (!line.startsWith('{')) return null;
  try {
    const { path, received } = JSON.parse(line) as { path?: string; received?: number };
    return path === SIZED_PATHS.upload && typeof received === 'number' ? received : null;
  } catch {
    return null; // A line of the program's own.
  }
}
