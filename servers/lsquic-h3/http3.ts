import type * as quic from 'node:quic';
import type { Answer, Program, TransportSettings } from '../bun/contract.ts';
import { readRequest } from '../bun/stream-request.ts';
import { sessionsProgram } from './sessions.ts';

export function http3Program(settings: TransportSettings): Program {
  return sessionsProgram(settings, { alpn: 'h3', handle: handleSession });
}

function handleSession(session: quic.QuicSession, answer: Answer): void {
  // A browser that closes resets its streams and sessions: not an error of the server.
  session.closed.catch(() => {});
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = async (fields) => {
      const request = await readRequest(fields, stream);
      const { status, headers, body, bytes } = await answer(request, () => stream.destroyed);
      if (stream.destroyed) return;
      const empty = body === null || bytes === 0;
      stream.sendHeaders({ ':status': String(status), ...headers }, { terminal: empty });
      if (!empty) stream.setBody(body instanceof Blob ? body.stream() : body);
    };
  };
}
