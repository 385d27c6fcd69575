import * as net from 'node:net';
import { serve } from '../../../servers/bun/contract.ts';
import { listening } from './listening.ts';
import { socketTcp } from './stack.ts';
import { sendBack, tellAtEnd } from './tcp-connection.ts';
import { connectionLog } from './told-events.ts';

await serve(socketTcp, () => ({
  async details() {
    return { program: `Bun ${Bun.version}`, language: 'TypeScript', library: 'node:net' };
  },
  listen({ ip, port }) {
    const server = net.createServer((socket) => {
      const log = connectionLog();
      log.mark('session');
      tellAtEnd(socket, log);
      sendBack(socket, log);
    });
    return listening(server, { ip, port });
  },
}));
