import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type Listener, PORT } from './listener.ts';

/** Ends every connection by RST as soon as the client has sent something. */
export function listenReset({ address }: Listener<unknown>): Promise<void> {
  return listen(address, (socket) => socket.once('data', () => socket.resetAndDestroy()));
}

/** Reads everything, and stays silent. */
export function listenSilently({ address }: Listener<unknown>): Promise<void> {
  return listen(address, (socket) => socket.resume());
}

async function listen(host: string, handle: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => {}); // Clients may give up.
    handle(socket);
  });
  server.listen({ host, port: PORT, ipv6Only: host.includes(':') });
  await once(server, 'listening');
}
