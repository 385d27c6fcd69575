import { setTimeout as sleep } from 'node:timers/promises';
import { SIZED_PATHS } from '../../cache/sized-site.ts';
import type { ReadyServer } from '../measuring.ts';

interface Uploads {
  /** Waits for reports of all expected bytes, with a timeout; null: no report. */
  receivedBytes(expectedBytes: number): Promise<number | null>;
  close(): void;
}

/** The server may log a response after sending it. */
const REPORT_MS = 500;
const STEP_MS = 5;

export function listenForUploads(server: ReadyServer): Uploads {
  let received: number | null = null;
  const close = server.follow((line) => {
    const bytes = receivedIn(line);
    if (bytes !== null) received = (received ?? 0) + bytes;
  });
  return {
    async receivedBytes(expectedBytes) {
      for (let waitedMs = 0; (received ?? -1) < expectedBytes; waitedMs += STEP_MS) {
        if (waitedMs >= REPORT_MS) break;
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
    return null; // Another line of the program.
  }
}
