import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { plainRequestReader } from '../../../ground/records/plain-request.ts';
import type { Answer, Listener, Program } from '../../../servers/bun/contract.ts';
import { responseTo } from './response.ts';

/** A server over TCP, with one request for each connection. */
export function socketsProgram(
  library: string,
  serverOf: (listener: Listener, respond: (socket: Socket) => void) => Server,
): Program {
  return {
    async details() {
      return { program: `Bun ${Bun.version}`, language: 'TypeScript', library };
    },
    async listen(listener, answer) {
      const server = serverOf(listener, (socket) => respond(socket, answer));
      await once(server.listen(listener.port, listener.ip), 'listening');
      return (server.address() as AddressInfo).port;
    },
  };
}

function respond(socket: Socket, answer: Answer): void {
  // Nagle's algorithm would delay the end of a body until the rest is acknowledged.
  socket.setNoDelay(true);
  // A client that closes resets its connections: not an error of the server.
  socket.on('error', () => {});
  const read = plainRequestReader(async (request) => {
    const body = await responseTo(request, answer, socket);
    if (!(body instanceof Blob)) socket.end(body);
    else await pipeline(body.stream() as AsyncIterable<Uint8Array>, socket).catch(() => {});
  });
  socket.on('data', (piece) => {
    try {
      read(piece);
    } catch {
      // Not a valid request.
      socket.destroy();
    }
  });
}
