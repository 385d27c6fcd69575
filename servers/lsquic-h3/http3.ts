import type * as quic from 'node:quic';
import type { Answer, Program, TransportSettings } from '../bun/contract.ts';
import { discardBody } from '../bun/request-body.ts';
import { sessionsProgram } from './sessions.ts';

// Methods of requests without a body.
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function http3Program(settings: TransportSettings): Program {
  return sessionsProgram(settings, { alpn: 'h3', handle: handleSession });
}

function handleSession(session: quic.QuicSession, answer: Answer): void {
  // A browser that closes resets its streams and sessions: not an error of the server.
  session.closed.catch(() => {});
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = async (request) => {
      const header = (name: string) => joinFields(name, request[name]);
      const method = header(':method') ?? '';
      // A stream reset by its client has neither an end nor a reader of its answer.
      const isRead = !BODILESS.has(method);
      const received = isRead ? await discardBody(stream).catch(() => 0) : 0;
      const replayRequest = {
        method,
        host: header(':authority') ?? '',
        path: header(':path') ?? '',
        header,
        received,
      };
      const { status, headers, body, bytes } = await answer(replayRequest, () => stream.destroyed);
      if (stream.destroyed) return;
      const empty = body === null || bytes === 0;
      stream.sendHeaders({ ':status': String(status), ...headers }, { terminal: empty });
      if (!empty) stream.setBody(body instanceof Blob ? body.stream() : body);
    };
  };
}

/** Joins repeated fields; browsers send each cookie in its own (RFC 9114, section 4.2.1). */
function joinFields(name: string, value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
}
