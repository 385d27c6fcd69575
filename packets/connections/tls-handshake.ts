import type { WireConnection } from '../../ground/records/packets.ts';
import { cipherSuiteName, groupName, tlsVersionName } from '../../ground/records/wire-names.ts';
import { HANDSHAKE, type HandshakeMessage } from '../dissection/packet.ts';
import type { Way } from './ledger.ts';

type Agreed = Pick<WireConnection, 'host' | 'protocol' | 'tlsVersion' | 'cipher' | 'group'>;

export class TlsHandshake {
  readonly agreed: Agreed = {
    host: null,
    protocol: null,
    tlsVersion: null,
    cipher: null,
    group: null,
  };
  /** When the last message of each side had arrived. */
  readonly finishedMs: Record<Way, number | null> = { toServer: null, toClient: null };
  /** Each side counts what it waits before it acknowledges in these, unless it says otherwise (RFC 9000, section 18.2). */
  readonly ackDelayExponent: Record<Way, number> = { toServer: 3, toClient: 3 };

  take(messages: readonly HandshakeMessage[], way: Way): boolean {
    for (const message of messages) this.#takeOne(message, way);
    return messages.some(({ type }) => type === HANDSHAKE.finished);
  }

  #takeOne(message: HandshakeMessage, way: Way): void {
    const { agreed } = this;
    const exponent = message.parameters?.ack_delay_exponent;
    if (typeof exponent === 'number') this.ackDelayExponent[way] = exponent;
    switch (message.type) {
      case HANDSHAKE.clientHello:
        agreed.host ??= message.serverName ?? null;
        return;
      case HANDSHAKE.serverHello:
        agreed.tlsVersion = message.version === undefined ? null : tlsVersionName(message.version);
        agreed.cipher = message.cipher === undefined ? null : cipherSuiteName(message.cipher);
        agreed.group ??= message.group === undefined ? null : groupName(message.group);
        agreed.protocol ??= message.protocols?.[0] ?? null;
        return;
      case HANDSHAKE.serverKeyExchange:
        agreed.group ??= message.group === undefined ? null : groupName(message.group);
        return;
      case HANDSHAKE.encryptedExtensions:
        agreed.protocol ??= message.protocols?.[0] ?? null;
        return;
    }
  }
}
