import type * as quic from 'node:quic';
import { plainRequestReader } from '../../../ground/records/plain-request.ts';
import { MESSAGE_ALPN } from '../../../ground/records/protocol.ts';
import { type Answer, serve } from '../../../servers/bun/contract.ts';
import { sessionsProgram } from '../../../servers/lsquic-h3/sessions.ts';
import { responseTo } from './response.ts';
import { plainQuic } from './stack.ts';

/** Error code of a stream without a valid request. */
const NO_REQUEST = 1;

await serve(plainQuic, (settings) =>
  sessionsProgram(settings, { alpn: MESSAGE_ALPN, handle: handleSession }),
);

function handleSession(session: quic.QuicSession, answer: Answer): void {
  // A client that closes resets its streams and sessions: not an error of the server.
  session.closed.catch(() => {});
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    respond(stream, answer).catch(() => {
      if (!stream.destroyed) stream.resetStream(NO_REQUEST);
    });
  };
}

async function respond(stream: quic.QuicStream, answer: Answer): Promise<void> {
  let isWhole = false;
  const read = plainRequestReader(async (request) => {
    isWhole = true;
    const body = await responseTo(request, answer, stream);
    if (!stream.destroyed) stream.setBody(body instanceof Blob ? body.stream() : body);
  });
  for await (const pieces of stream) {
    for (const piece of [pieces].flat()) read(piece);
  }
  if (!isWhole) throw new Error('a request that is not whole');
}
