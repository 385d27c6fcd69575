import { createSocket } from 'node:dgram';
import { ConnectionFailure, failureOf, failureOfError } from './failure.ts';
import { splitAddress } from './pending-connection.ts';

/**
 * Sends a byte to a place that QUIC is spoken to, which is too little to be answered, and never comes to anything unless the network or the
 * host refuses it (ICMP): node:quic waits then as if nothing had come.
 * @throws ConnectionFailure when it is refused
 */
export function untilUdpRefused(address: string): Promise<never> {
  const { ip, port, family } = splitAddress(address);
  const refused = Promise.withResolvers<never>();
  const socket = createSocket(`udp${family}`);
  socket.on('error', (error) => {
    const at = { layer: 'udp', expected: `an answer over UDP from ${address}` } as const;
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
