import type { TLSSocket } from 'node:tls';
import { ConnectionFailure, closedFailure, failureOf } from './failure.ts';
import { type Making, requestFields } from './making.ts';

const HEAD_END = '\r\n\r\n';

/** Asks for a path by HTTP/1.1, alone on its connection, and waits for the whole answer. Bun's node:http takes no connection that is there already. */
export async function answerOfHttp1(
  socket: TLSSocket,
  making: Making,
  { path }: { path: string },
): Promise<void> {
  const { asked, instants, facts, examination } = making;
  const answered = Promise.withResolvers<void>();
  let received = Buffer.alloc(0);
  const read = (isEnded: boolean) => {
    const answer = readAnswer(received, isEnded);
    if (answer === null) return;
    if (answer === 'none') {
      const got = `what is no answer of HTTP/1.1: ${received.toString('latin1', 0, 40)}`;
      answered.reject(new ConnectionFailure(failureOf(making.stage(), 'malformed', got)));
      return;
    }
    instants.totalMs = making.elapsedMs();
    facts.status = answer.status;
    facts.altSvc = answer.altSvc;
    facts.bodyBytes = answer.body.length;
    // The end of the connection has the same answer read again.
    if (examination) Object.assign(examination, { headers: answer.fields, body: [answer.body] });
    answered.resolve();
  };
  socket.on('data', (chunk: Buffer) => {
    instants.firstByteMs ??= making.elapsedMs();
    received = Buffer.concat([received, chunk]);
    read(false);
  });
  socket.on('end', () => {
    read(true);
    answered.reject(new ConnectionFailure(closedFailure(making.stage())));
  });
  const fields = { host: asked.authority, connection: 'close', ...requestFields(making) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END);
  await answered.promise;
}

interface Answer {
  status: number;
  altSvc: string | null;
  /** Names in lower case. */
  fields: [name: string, value: string][];
  /** As it is without the chunks that it may come in. */
  body: Buffer;
}

/** Reads an answer to GET (RFC 9112, 6.3); null: there is more of it to come; none: it is something else. */
export function readAnswer(received: Buffer, isEnded: boolean): Answer | 'none' | null {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return null;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (Number.isNaN(status)) return 'none';
  const body = received.subarray(end + HEAD_END.length);
  // 103 and the like come before the answer.
  if (status < 200) return readAnswer(body, isEnded);
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const named = new Map(fields);
  const whole = wholeBody(body, { status, fields: named, isEnded });
  if (whole === null || whole === 'malformed') return whole && 'none';
  return { status, altSvc: named.get('alt-svc') ?? null, fields, body: whole };
}

/** null: there is more to come. */
function wholeBody(
  body: Buffer,
  about: { status: number; fields: ReadonlyMap<string, string>; isEnded: boolean },
): Buffer | 'malformed' | null {
  const { status, fields, isEnded } = about;
  if (status === 204 || status === 304) return Buffer.alloc(0);
  if (/\bchunked$/i.test(fields.get('transfer-encoding') ?? '')) return bodyOfChunks(body);
  const length = fields.get('content-length');
  if (length === undefined) return isEnded ? body : null;
  const bytes = Number(length);
  if (Number.isNaN(bytes)) return 'malformed';
  return body.length < bytes ? null : body.subarray(0, bytes);
}

function bodyOfChunks(body: Buffer): Buffer | 'malformed' | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16);
    if (Number.isNaN(size)) return 'malformed';
    // The last one is followed by trailers and an empty line.
    if (size === 0) return body.subarray(end).indexOf(HEAD_END) < 0 ? null : Buffer.concat(chunks);
    chunks.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
    if (at > body.length) return null;
  }
}
