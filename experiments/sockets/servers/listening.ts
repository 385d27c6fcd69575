import type { AddressInfo, Server } from 'node:net';
import { listens } from './told-events.ts';

/** Has a server of TCP listen on an address; gives the port bound. */
export async function listening(
  server: Server,
  { ip, port }: { ip: string; port: number },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, ip, resolve);
  await promise;
  listens();
  return (server.address() as AddressInfo).port;
}
