import type { AddressInfo, Server } from 'node:net';
import { markListening } from './connection-log.ts';

/** Has a server of TCP listen on an address; gives the port bound. */
export async function listen(
  server: Server,
  { ip, port }: { ip: string; port: number },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, ip, resolve);
  await promise;
  markListening();
  return (server.address() as AddressInfo).port;
}
