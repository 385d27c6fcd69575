import type { TLSSocket } from 'node:tls';
import { ConnectionFailure, closedFailure, failureOf } from './failure.ts';
import { Http1ResponseReader, MalformedResponseError } from './http1-response-reader.ts';
import { type PendingConnection, requestFields } from './pending-connection.ts';

/** Sends GET by HTTP/1.1 and waits for the whole response. Bun's node:http cannot use an existing connection. */
export async function getByHttp1(
  socket: TLSSocket,
  pending: PendingConnection,
  { path }: { path: string },
): Promise<void> {
  const { target, times, facts, examination } = pending;
  const answered = Promise.withResolvers<void>();
  const answer = new Http1ResponseReader();
  let bytes = 0;
  const settle = () => {
    if (answer.head === null || facts.status !== null) return;
    const { status, fields } = answer.head;
    facts.status = status;
    facts.altSvc = Object.fromEntries(fields)['alt-svc'] ?? null;
    examination?.headers.push(...fields);
  };
  const ended = () => {
    if (!answer.isWhole || times.totalMs !== null) return;
    times.totalMs = pending.elapsedMs();
    facts.bodyBytes = bytes;
    answered.resolve();
  };
  socket.on('data', (chunk: Buffer) => {
    times.firstByteMs ??= pending.elapsedMs();
    try {
      const pieces = answer.take(chunk);
      settle();
      for (const piece of pieces) {
        bytes += piece.length;
        pending.take(piece, socket).catch(answered.reject);
      }
      ended();
    } catch (error) {
      answered.reject(
        error instanceof MalformedResponseError
          ? new ConnectionFailure(failureOf(pending.stage(), 'malformed', error.message))
          : error,
      );
    }
  });
  socket.on('end', () => {
    answer.end();
    ended();
    answered.reject(new ConnectionFailure(closedFailure(pending.stage())));
  });
  const fields = { host: target.authority, connection: 'close', ...requestFields(pending) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  await answered.promise;
}
