import * as quic from 'node:quic';
import { MESSAGE_ALPN } from '../../ground/records/protocol.ts';
import { authoritiesOf } from './authorities.ts';
import type { ExchangeRequest } from './exchange.ts';
import { groupsOf } from './groups.ts';
import { type ExchangeContext, echoReader, makeMessage, throwClosedEarly } from './message.ts';

/** Sends messages by QUIC, each on its own stream, then closes the connection. */
export async function exchangeByQuic(
  { host, address, keyExchange, messageBytes, messages, congestionControl }: ExchangeRequest,
  { log, keep, late }: ExchangeContext,
): Promise<void> {
  const message = makeMessage(messageBytes);
  const secure = Promise.withResolvers<void>();
  log.mark('requested');
  // Without this address it would reach only loopback.
  const endpoint = new quic.QuicEndpoint({ address: '0.0.0.0:0' });
  const session = await quic.connect(address, {
    servername: host,
    alpn: MESSAGE_ALPN,
    groups: groupsOf({ keyExchange }),
    verifyPeer: 'manual',
    keylog: true,
    endpoint,
    cc: congestionControl,
    ca: authoritiesOf({ trust: null }).map((each) => Buffer.from(each)),
  });
  log.mark('session');
  session.onkeylog = (line) => {
    // The client may send from here; `opened` resolves a round trip later, when the handshake is confirmed.
    if (line.startsWith('CLIENT_TRAFFIC_SECRET_0')) {
      log.mark('secure');
      secure.resolve();
    }
    keep(line);
  };
  const closed = session.closed.then(() => log.mark('socketClose'));
  const broken = Promise.race([late, closed.then(throwClosedEarly)]);
  broken.catch(() => {}); // Its awaiters report it.
  try {
    await Promise.race([secure.promise, broken]);
    for (let number = 1; number <= messages; number++) {
      await Promise.race([exchangeOne(number), broken]);
    }
    log.mark('closing');
    await Promise.race([session.close().then(() => closed), late]);
  } catch (error) {
    session.destroy();
    throw error;
  } finally {
    // Closes the socket, which would stay open until the program ends.
    await endpoint.close();
  }

  async function exchangeOne(number: number): Promise<void> {
    const read = echoReader(log, { number, bytes: messageBytes });
    log.mark('sent', number);
    const stream = await session.createBidirectionalStream({ body: message });
    stream.closed.then(
      () => log.mark('streamClose', number),
      () => {}, // Reading fails with the same error.
    );
    for await (const pieces of stream) {
      for (const piece of [pieces].flat()) read(piece);
    }
    log.mark('streamEnd', number);
  }
}
