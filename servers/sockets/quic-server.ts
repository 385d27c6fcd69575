import { createPrivateKey } from 'node:crypto';
import * as quic from 'node:quic';
import { sampleTransport } from '../../lsquic/transport-samples.ts';
import type { EventLog } from '../../records/event-log.ts';
import { MESSAGE_ALPN } from '../../records/protocol.ts';
import { serve } from '../bun/contract.ts';
import { collectEndedSessions } from '../lsquic-h3/ended-sessions.ts';
import { watchInitialWindow } from '../lsquic-h3/initial-window.ts';
import { ignoreUnreachablePorts } from '../lsquic-h3/unreachable-ports.ts';
import { messageReader } from './messages.ts';
import { socketQuic } from './stack.ts';
import { connectionLog, listens, tell } from './told-events.ts';

// Bun limits how fast one address may open sessions; a benchmark is one address that opens many.
const NO_RATE_LIMIT = 1_000_000;

const windowWatch = watchInitialWindow(MESSAGE_ALPN);
const collect = collectEndedSessions();

/** Until then nobody connects but this program itself. */
let isReady = false;

await serve(socketQuic, ({ congestionControl, sampleMs }) => {
  const transport = sampleTransport('server', sampleMs);
  return {
    samples: transport.taken,
    async details(origins) {
      const [[host, address] = ['', '']] = Object.entries(origins);
      const window = await windowWatch.read(address, host);
      // Of that connection nobody wants to know.
      transport.taken();
      isReady = true;
      return {
        program: `Bun ${Bun.version}`,
        language: 'TypeScript',
        library: 'node:quic (lsquic)',
        ...(window && {
          initialWindowPackets: String(window.packets),
          initialWindowBytes: String(window.bytes),
        }),
      };
    },
    async listen({ ip, port, certificate, key }) {
      const identity = { keys: [createPrivateKey(key)], certs: [Buffer.from(certificate)] };
      const endpoint = await quic.listen(
        (session) => {
          transport.sees(session);
          handleSession(session);
        },
        {
          alpn: [MESSAGE_ALPN],
          sni: { '*': identity },
          endpoint: {
            address: `${ip}:${port}`,
            maxConnectionsPerHost: 65535,
            sessionCreationRate: NO_RATE_LIMIT,
            sessionCreationBurst: NO_RATE_LIMIT,
          },
          cc: congestionControl,
          keylog: true,
        },
      );
      listens();
      ignoreUnreachablePorts(ip, endpoint.address.port);
      return endpoint.address.port;
    },
  };
});

function handleSession(session: quic.QuicSession): void {
  const log = connectionLog();
  log.mark('session');
  collect(session);
  windowWatch.sees(session);
  session.onkeylog = () => log.mark('keylog');
  session.opened.then(
    () => log.mark('secure'),
    () => {}, // It ends in an error too.
  );
  let streams = 0;
  session.onstream = (stream) => {
    sendBack(stream, ++streams, log).catch(() => log.mark('error'));
  };
  const isTold = isReady;
  session.closed
    .catch(() => log.mark('error'))
    .then(() => {
      log.mark('socketClose');
      if (isTold) tell(log);
    });
}

/** Sends the message of a stream back over it. */
async function sendBack(stream: quic.QuicStream, number: number, log: EventLog): Promise<void> {
  stream.closed.then(
    () => log.mark('streamClose', number),
    () => {}, // Reading it, or its session, ends in that error too.
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
