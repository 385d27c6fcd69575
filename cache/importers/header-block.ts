export interface SavedResponse {
  status: number;
  /** In the original order; values are Latin-1 text, so that each character is one byte. */
  headers: [name: string, value: string][];
  body: Uint8Array;
  /** Lines between the status line and the empty line that are not headers. */
  strayLines: string[];
}

/**
 * Parses a saved file: status line, header lines, an empty line, body. Lines end in CRLF or LF, even mixed.
 * @returns an interim response (1xx) only if no other follows; null: the file does not begin with a status line
 */
export function parseSavedResponse(file: Uint8Array): SavedResponse | null {
  let response: SavedResponse | null = null;
  let rest = file;
  // `100 Continue` and the like may precede the response.
  while (response === null || isInterim(response.status)) {
    const next = parseBlock(rest);
    if (next === null) return response;
    response = next;
    rest = next.body;
  }
  return response;
}

/** The first value of a header, by its name in lower case; null: absent. */
export function headerValue(headers: [string, string][], name: string): string | null {
  return headers.find(([found]) => found.toLowerCase() === name)?.[1] ?? null;
}

const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/;
const HEADER_LINE = /^([^\s:]+):(.*)$/;

function parseBlock(file: Uint8Array): SavedResponse | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const first = lineAt(bytes, 0);
  const status = STATUS_LINE.exec(first.text)?.[1];
  if (status === undefined) return null;
  const { end, ...lines } = parseHeaderLines(bytes, first.end);
  return { status: Number(status), ...lines, body: bytes.subarray(end) };
}

/** Parses header lines up to an empty line; `end` is after it. Lines end in CRLF or LF. */
export function parseHeaderLines(
  bytes: Buffer,
  start = 0,
): Pick<SavedResponse, 'headers' | 'strayLines'> & { end: number } {
  const headers: [string, string][] = [];
  const strayLines: string[] = [];
  let at = start;
  while (at < bytes.length) {
    const line = lineAt(bytes, at);
    at = line.end;
    if (line.text === '') break;
    const [, name, value] = HEADER_LINE.exec(line.text) ?? [];
    const last = headers.at(-1);
    // Leading white space continues the previous line (old line folding).
    if (/^[ \t]/.test(line.text) && last) last[1] += ` ${withoutBlanks(line.text)}`;
    else if (name !== undefined && value !== undefined) headers.push([name, withoutBlanks(value)]);
    else strayLines.push(line.text);
  }
  return { headers, strayLines, end: at };
}

/** Trims blanks in linear time, unlike a regular expression. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}

function isInterim(status: number): boolean {
  return status >= 100 && status < 200;
}

function lineAt(bytes: Buffer, start: number): { text: string; end: number } {
  const newline = bytes.indexOf(0x0a, start);
  const end = newline === -1 ? bytes.length : newline + 1;
  const text = bytes.toString('latin1', start, newline === -1 ? end : newline);
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, end };
}
