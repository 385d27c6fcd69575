import { createHash } from 'node:crypto';

/** The manifest's fields about a body file, and its name in `bodies/`. */
export function bodyFile(index: number, url: string, bytes: Uint8Array) {
  if (bytes.length === 0) return { body: null, wireBytes: 0, sha256: null };
  return {
    body: `bodies/${String(index).padStart(4, '0')}-${readableName(url)}`,
    wireBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** The end of the URL's path, so that people find a body by eye; safe as a file name on any system. */
function readableName(url: string): string {
  const last = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? 'index.html';
  return last.replace(/%[0-9A-F]{2}|[^A-Za-z0-9._-]/gi, '_').slice(-60);
}
