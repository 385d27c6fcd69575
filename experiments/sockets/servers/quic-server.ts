import type * as quic from 'node:quic';
import type { EventLog } from '../../../ground/records/event-log.ts';
import { MESSAGE_ALPN } from '../../../ground/records/protocol.ts';
import { serve } from '../../../servers/bun/contract.ts';
import { sessionsProgram } from '../../../servers/lsquic-h3/sessions.ts';
import { connectionLog, markListening, printEvents } from './connection-log.ts';
import { messageReader } from './messages.ts';
import { socketQuic } from './stack.ts';

/** Whether connections belong to clients; earlier ones are this program's own. */
let isReady = false;

await serve(socketQuic, (settings) =>
  sessionsProgram(settings, {
    alpn: MESSAGE_ALPN,
    handle: handleSession,
    keylog: true,
    onListening: markListening,
    onReady: () => {
      isReady = true;
    },
  }),
);

function handleSession(session: quic.QuicSession): void {
  const log = connectionLog();
  log.mark('session');
  session.onkeylog = () => log.mark('keylog');
  session.opened.then(
    () => log.mark('secure'),
    () => {}, // session.closed reports the error.
  );
  let streams = 0;
  session.onstream = (stream) => {
    sendBack(stream, ++streams, log).catch(() => log.mark('error'));
  };
  const isPrinted = isReady;
  session.closed
    .catch(() => log.mark('error'))
    .then(() => {
      log.mark('socketClose');
      if (isPrinted) printEvents(log);
    });
}

async function sendBack(stream: quic.QuicStream, number: number, log: EventLog): Promise<void> {
  stream.closed.then(
    () => log.mark('streamClose', number),
    () => {}, // Reading the stream, or its session, reports the error.
  );
  const read = messageReader(log, number, (message) => {
    log.mark('sent', number);
    stream.setBody(message);
  });
  for await (const pieces of stream) {
    for (const piece of [pieces].flat()) read(piece);
  }
  log.mark('streamEnd', number);
}
