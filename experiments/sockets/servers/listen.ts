import type { AddressInfo, Server } from 'node:net';
import { markListening } from './connection-log.ts';

/** @returns the port of a TCP server that listens */
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
