import type { TLSSocket } from 'node:tls';
import { ConnectionFailure, closedFailure, failureOf } from './failure.ts';
import type { Making } from './making.ts';

const HEAD_END = '\r\n\r\n';

/** Asks for a path by HTTP/1.1, alone on its connection, and waits for the whole answer. Bun's node:http takes no connection that is there already. */
export async function answerOfHttp1(
  socket: TLSSocket,
  making: Making,
  { path }: { path: string },
): Promise<void> {
  const { asked, instants, facts } = making;
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
    facts.bodyBytes = answer.bodyBytes;
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
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${asked.authority}\r\nconnection: close${HEAD_END}`);
  await answered.promise;
}

interface Answer {
  status: number;
  altSvc: string | null;
  bodyBytes: number;
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
  const fields = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyBytes = bytesOfBody(body, { status, fields, isEnded });
  if (Number.isNaN(bodyBytes)) return 'none';
  return bodyBytes === null ? null : { status, altSvc: fields.get('alt-svc') ?? null, bodyBytes };
}

/** null: there is more to come; NaN: it is malformed. */
function bytesOfBody(
  body: Buffer,
  about: { status: number; fields: Map<string, string>; isEnded: boolean },
): number | null {
  const { status, fields, isEnded } = about;
  if (status === 204 || status === 304) return 0;
  if (/\bchunked$/i.test(fields.get('transfer-encoding') ?? '')) return bytesOfChunks(body);
  const length = fields.get('content-length');
  if (length === undefined) return isEnded ? body.length : null;
  return body.length < Number(length) ? null : Number(length);
}

function bytesOfChunks(body: Buffer): number | null {
  let bytes = 0;
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16);
    if (Number.isNaN(size)) return size;
    // The last one is followed by trailers and an empty line.
    if (size === 0) {
      return body.subarray(end).indexOf(HEAD_END) < 0 ? null : bytes;
    }
    bytes += size;
    at = end + 2 + size + 2;
    if (at > body.length) return null;
  }
}
