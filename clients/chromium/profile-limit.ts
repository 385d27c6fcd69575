import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { bytesText } from '../../ground/system/bounded-buffer.ts';
import { UsageError } from '../../ground/system/exit-status.ts';

/** Maximum size of a profile with its NetLog, which contains each body of a recorded page about three times. */
const MAX_BYTES = 2_000_000_000;
/** A disk writes some hundred MB per interval. */
const INTERVAL_MS = 250;

/**
 * Loads a page in a browser, and ends the browser if the page fills the disk.
 * @param use its signal ends the browser
 * @throws UsageError if the profile exceeds `maxBytes`
 */
export async function withinProfileLimit<T>(
  { folder, url, signal }: { folder: string; url: string; signal?: AbortSignal },
  use: (signal: AbortSignal) => Promise<T>,
  maxBytes = MAX_BYTES,
): Promise<T> {
  const full = new AbortController();
  let timer: NodeJS.Timeout;
  let isOver = false;
  const look = async () => {
    const bytes = await sizeOf(folder);
    if (isOver) return;
    if (bytes > maxBytes) {
      const why = `${url} fills the disk: Chromium wrote more than ${bytesText(maxBytes)} while loading it. Does one of its responses never end?`;
      full.abort(new UsageError(why));
    } else {
      timer = setTimeout(look, INTERVAL_MS);
    }
  };
  timer = setTimeout(look, INTERVAL_MS);
  try {
    return await use(AbortSignal.any([full.signal, ...(signal ? [signal] : [])]));
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** Total size of a folder's files, without a guarantee for files that appear or disappear meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        lstat(path.join(parentPath, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
