import type { TLSSocket } from 'node:tls';
import { ConnectionFailure, closedFailure, failureOf } from './failure.ts';
import { Http1Answer, Http1Malformed } from './http1-answer.ts';
import { type Making, requestFields } from './making.ts';

/** Asks for a path by HTTP/1.1, alone on its connection, and waits for the whole answer. Bun's node:http takes no connection that is there already. */
export async function answerOfHttp1(
  socket: TLSSocket,
  making: Making,
  { path }: { path: string },
): Promise<void> {
  const { asked, instants, facts, examination } = making;
  const answered = Promise.withResolvers<void>();
  const answer = new Http1Answer();
  let bytes = 0;
  const told = () => {
    if (answer.head === null || facts.status !== null) return;
    const { status, fields } = answer.head;
    facts.status = status;
    facts.altSvc = Object.fromEntries(fields)['alt-svc'] ?? null;
    examination?.headers.push(...fields);
  };
  const ended = () => {
    if (!answer.isWhole || instants.totalMs !== null) return;
    instants.totalMs = making.elapsedMs();
    facts.bodyBytes = bytes;
    answered.resolve();
  };
  socket.on('data', (chunk: Buffer) => {
    instants.firstByteMs ??= making.elapsedMs();
    try {
      const pieces = answer.take(chunk);
      told();
      for (const piece of pieces) {
        bytes += piece.length;
        making.take(piece, socket).catch(answered.reject);
      }
      ended();
    } catch (error) {
      answered.reject(
        error instanceof Http1Malformed
          ? new ConnectionFailure(failureOf(making.stage(), 'malformed', error.message))
          : error,
      );
    }
  });
  socket.on('end', () => {
    answer.end();
    ended();
    answered.reject(new ConnectionFailure(closedFailure(making.stage())));
  });
  const fields = { host: asked.authority, connection: 'close', ...requestFields(making) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  await answered.promise;
}
