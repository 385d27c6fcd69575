import * as net from 'node:net';
import * as tls from 'node:tls';
import { MESSAGE_ALPN } from '../../ground/records/protocol.ts';
import { authoritiesOf } from './authorities.ts';
import type { ExchangeRequest } from './exchange.ts';
import { groupsOf } from './groups.ts';
import { type ExchangeContext, echoReader, makeMessage, throwClosedEarly } from './message.ts';

/** Sends messages by TCP, with TLS 1.3 unless the protocol is tcp, and closes the connection from this end. */
export async function exchangeByTcp(
  { protocol, host, address, keyExchange, messageBytes, messages }: ExchangeRequest,
  { log, keep, late }: ExchangeContext,
): Promise<void> {
  const message = makeMessage(messageBytes);
  const end = address.lastIndexOf(':');
  const server = { host: address.slice(0, end), port: Number(address.slice(end + 1)) };
  const closed = Promise.withResolvers<void>();
  const broken = Promise.race([late, closed.promise.then(throwClosedEarly)]);
  broken.catch(() => {}); // Its awaiters report it.
  log.mark('requested');
  const socket =
    protocol === 'tls'
      ? tls.connect({
          ...server,
          servername: host,
          minVersion: 'TLSv1.3',
          ALPNProtocols: [MESSAGE_ALPN],
          rejectUnauthorized: false,
          ca: [...authoritiesOf({ trust: null })],
          ecdhCurve: groupsOf({ keyExchange }),
        })
      : net.connect(server);
  // Nagle's algorithm would delay the end of a message until an acknowledgement.
  socket.setNoDelay(true);
  socket.on('keylog', (line) => keep(line.toString()));
  socket.once('error', closed.reject);
  socket.on('end', () => log.mark('streamEnd'));
  socket.on('close', () => {
    log.mark('socketClose');
    closed.resolve();
  });
  const ready = Promise.withResolvers<void>();
  socket.once('connect', () => {
    log.mark('session');
    if (protocol === 'tcp') ready.resolve();
  });
  socket.once('secureConnect', () => {
    log.mark('secure');
    ready.resolve();
  });
  try {
    await Promise.race([ready.promise, broken]);
    for (let number = 1; number <= messages; number++) {
      await Promise.race([exchangeOne(number), broken]);
    }
    log.mark('closing');
    socket.end();
    await Promise.race([closed.promise, late]);
  } finally {
    socket.destroy();
  }

  function exchangeOne(number: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = echoReader(log, { number, bytes: messageBytes });
    const take = (piece: Buffer) => {
      if (!read(piece)) return;
      socket.off('data', take);
      resolve();
    };
    socket.on('data', take);
    log.mark('sent', number);
    socket.write(message);
    return promise;
  }
}
