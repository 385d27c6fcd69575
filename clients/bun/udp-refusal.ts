import { createSocket } from 'node:dgram';
import { ConnectionFailure, failureOf, failureOfError } from './failure.ts';
import { splitAddress } from './pending-connection.ts';

/**
 * Sends one byte, too short for a QUIC response. Rejects if the network or host refuses it (ICMP), which node:quic ignores; otherwise
 * never settles.
 * @throws ConnectionFailure if it is refused
 */
export function untilUdpRefused(address: string): Promise<never> {
  const { ip, port, family } = splitAddress(address);
  const refused = Promise.withResolvers<never>();
  const socket = createSocket(`udp${family}`);
  socket.on('error', (error) => {
    const at = { layer: 'udp', expected: `a response over UDP from ${address}` } as const;
    const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    refused.reject(
      new ConnectionFailure(
        isRefused
          ? failureOf(at, 'ECONNREFUSED', 'a refusal (ICMP): nothing listens for QUIC there')
          : failureOfError(error, at),
      ),
    );
  });
  socket.connect(port, ip, () => socket.send(Buffer.alloc(1), () => {}));
  return refused.promise;
}
