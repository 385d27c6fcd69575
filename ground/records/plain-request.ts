/** A request for a file, or with one, in a line of text in place of HTTP. */
export interface PlainRequest {
  method: 'GET' | 'POST';
  host: string;
  path: string;
  /** Part of the file in the form of HTTP; null: all of it, or an upload. */
  range: string | null;
  /** Size of the body, which follows the line of an upload. */
  bytes: number;
}

/** A longer line is no request. */
const MOST_CHARACTERS = 1000;

/** The line of a request. The response is the body alone, and then the end of the stream. */
export function plainRequestLine({ method, host, path, range, bytes }: PlainRequest): string {
  return `${method} ${host} ${path} ${bytes} ${range ?? ''}\n`;
}

/** Reads a request; calls `onWhole` once it has arrived with its body. */
export function plainRequestReader(
  onWhole: (request: PlainRequest) => void,
): (piece: Uint8Array) => void {
  let line = '';
  let request: PlainRequest | null = null;
  let left = 0;
  return (piece) => {
    let body = piece;
    if (request === null) {
      const text = Buffer.from(piece).toString('latin1');
      const end = text.indexOf('\n');
      line += end < 0 ? text : text.slice(0, end);
      if (line.length > MOST_CHARACTERS) throw new Error('a request without the end of its line');
      if (end < 0) return;
      request = readLine(line);
      left = request.method === 'POST' ? request.bytes : 0;
      body = piece.subarray(end + 1);
    } else if (left === 0) return;
    left -= Math.min(left, body.length);
    if (left === 0) onWhole(request);
  };
}

function readLine(line: string): PlainRequest {
  const [, method, host, path, bytes, range] =
    /^(GET|POST) (\S+) (\S+) (\d+) (\S*)$/.exec(line) ?? [];
  if (host === undefined || path === undefined) {
    throw new Error(`expected a request, got ${JSON.stringify(line)}`);
  }
  return {
    method: method as PlainRequest['method'],
    host,
    path,
    bytes: Number(bytes),
    range: range || null,
  };
}
