import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { bytesText } from '../../ground/system/bounded-buffer.ts';
import { UsageError } from '../../ground/system/exit-status.ts';

/** Most bytes of a profile with its NetLog, which holds each body of a recorded page about three times. */
const MAX_BYTES = 2_000_000_000;
/** A disk takes some hundred MB meanwhile. */
const INTERVAL_MS = 250;

/**
 * Has a browser load a page that may fill the disk, and ends it when it does.
 * @param use the browser ends when its signal is aborted
 * @throws UsageError when the profile has more than `mostBytes`
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
      const why = `${url} fills the disk: Chromium wrote more than ${bytesText(maxBytes)} while it loaded the page. Does one of its answers have no end?`;
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

/** Bytes of all files of a folder; those that come and go meanwhile count or not. */
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
