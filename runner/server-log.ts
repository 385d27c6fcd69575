import { createWriteStream } from 'node:fs';
import { bytesText } from '../ground/system/bounded-buffer.ts';

/** Limit for one start of a server, in bytes: ten times the log of each request of a long run. */
const MAX_BYTES = 64_000_000;

/** The log of a server, line by line; truncated at the limit, which its last line reports. */
interface ServerLog {
  write(line: string): void;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

/** Opens a log; lines are appended to those of earlier starts. */
export function openLog(file: string, maxBytes = MAX_BYTES): ServerLog {
  const log = createWriteStream(file, { flags: 'a' });
  // An unwritable log, on a full disk, stops nothing: its last lines are kept for messages.
  log.on('error', () => {});
  let bytes = 0;
  let isFull = false;
  return {
    write(line) {
      if (isFull) return;
      bytes += Buffer.byteLength(line) + 1;
      isFull = bytes > maxBytes;
      log.write(isFull ? `(truncated: the log has ${bytesText(maxBytes)})\n` : `${line}\n`);
    },
    end: () => new Promise((resolve) => log.end(() => resolve())),
  };
}
