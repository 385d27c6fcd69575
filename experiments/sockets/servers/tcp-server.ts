import * as net from 'node:net';
import { serve } from '../../../servers/bun/contract.ts';
import { connectionLog } from './connection-log.ts';
import { listen } from './listen.ts';
import { socketTcp } from './stack.ts';
import { printEventsAtClose, sendBack } from './tcp-connection.ts';

await serve(socketTcp, () => ({
  async details() {
    return { program: `Bun ${Bun.version}`, language: 'TypeScript', library: 'node:net' };
  },
  listen({ ip, port }) {
    const server = net.createServer((socket) => {
      const log = connectionLog();
      log.mark('session');
      printEventsAtClose(socket, log);
      sendBack(socket, log);
    });
    return listen(server, { ip, port });
  },
}));
