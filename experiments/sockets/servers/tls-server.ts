import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import type { EventLog } from '../../../ground/records/event-log.ts';
import { KEY_EXCHANGE_GROUPS } from '../../../ground/records/key-exchange.ts';
import { MESSAGE_ALPN } from '../../../ground/records/protocol.ts';
import { serve } from '../../../servers/bun/contract.ts';
import { connectionLog } from './connection-log.ts';
import { listen } from './listen.ts';
import { socketTls } from './stack.ts';
import { printEventsAtClose, sendBack } from './tcp-connection.ts';

/** Bun uses one socket object from TCP's accept on. */
const logs = new WeakMap<Socket, EventLog>();

await serve(socketTls, ({ keyExchange }) => ({
  async details() {
    return { program: `Bun ${Bun.version}`, language: 'TypeScript', library: 'node:tls' };
  },
  listen({ ip, port, certificate, key }) {
    const server = tls.createServer({
      key,
      cert: certificate,
      minVersion: 'TLSv1.3',
      ecdhCurve: KEY_EXCHANGE_GROUPS[keyExchange],
      ALPNProtocols: [MESSAGE_ALPN],
    });
    server.on('connection', (socket) => {
      const log = connectionLog();
      log.mark('session');
      logs.set(socket, log);
      printEventsAtClose(socket, log);
    });
    server.on('keylog', (_line, socket) => logs.get(socket)?.mark('keylog'));
    server.on('secureConnection', (socket) => {
      const log = logs.get(socket);
      if (log === undefined) throw new Error('a connection is secure that was never accepted');
      log.mark('secure');
      sendBack(socket, log);
    });
    return listen(server, { ip, port });
  },
}));
