import { createWriteStream } from 'node:fs';
import { bytesText } from '../ground/system/bounded-buffer.ts';

/** Most bytes that one start of a server adds to its log: a server that logs each request of a long run has a tenth of this. */
const MAX_BYTES = 64_000_000;

/** The log of a server, line by line; what goes beyond the limit is not written, as its last line says. */
interface ServerLog {
  write(line: string): void;
  /** Resolves when it is written. */
  end(): Promise<void>;
}

/** Opens a log; lines are added to those of earlier starts. */
export function openLog(file: string, maxBytes = MAX_BYTES): ServerLog {
  const log = createWriteStream(file, { flags: 'a' });
  // A log that cannot be written, on a full disk, ends nothing: its end is kept for messages.
  log.on('error', () => {});
  let bytes = 0;
  let isFull = false;
  return {
    write(line) {
      if (isFull) return;
      bytes += Buffer.byteLength(line) + 1;
      isFull = bytes > maxBytes;
      log.write(isFull ? `(no more is kept: the log has ${bytesText(maxBytes)})\n` : `${line}\n`);
    },
    end: () => new Promise((resolve) => log.end(() => resolve())),
  };
}
