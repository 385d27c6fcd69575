/** Longest line between chunks that is read: a size, perhaps with extensions, or a trailer. */
const MAX_LINE_BYTES = 8192;

/**
 * Takes `Transfer-Encoding: chunked` off a body (RFC 9112, section 7.1). Null: the body is not wholly in chunks; many
 * programs save it without them below the old header.
 */
export function withoutChunks(chunked: Uint8Array): Uint8Array | null {
  const from = Buffer.from(chunked.buffer, chunked.byteOffset, chunked.byteLength);
  const body = Buffer.allocUnsafe(from.length);
  let bodyBytes = 0;
  let at = 0;
  for (;;) {
    const line = lineAt(from, at);
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line?.text ?? '')?.[1];
    if (line === null || size === undefined) return null;
    at = line.end;
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) return isEnd(from, at) ? body.subarray(0, bodyBytes) : null;
    if (at + bytes + 2 > from.length) return null;
    from.copy(body, bodyBytes, at, at + bytes);
    bodyBytes += bytes;
    at += bytes;
    if (from[at] !== 0x0d || from[at + 1] !== 0x0a) return null;
    at += 2;
  }
}

/** Whether nothing but trailers and an empty line is left. */
function isEnd(from: Buffer, start: number): boolean {
  let at = start;
  while (at < from.length) {
    const line = lineAt(from, at);
    if (line === null) return false;
    at = line.end;
    if (line.text === '') return at === from.length;
  }
  return true;
}

function lineAt(from: Buffer, start: number): { text: string; end: number } | null {
  const window = from.subarray(start, start + MAX_LINE_BYTES);
  const newline = window.indexOf(0x0a);
  if (newline === -1) return null;
  const text = window.toString('latin1', 0, newline);
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, end: start + newline + 1 };
}
