import type { Identity } from '../certificates.ts';
import type { NameAnswer, TcpBehaviour, UdpBehaviour } from '../kinds.ts';

/** A host that a server answers for. */
export interface ServedHost {
  name: string;
  altSvc: string | null;
}

/** An address on whose port 443 something listens, with the hosts that are there: at least one. */
export interface Listener<Behaviour> {
  address: string;
  behaviour: Behaviour;
  identity: Identity;
  hosts: readonly ServedHost[];
}

/** A name that the name server knows something about. */
export interface ServedName {
  name: string;
  answer: NameAnswer;
  addresses: readonly string[];
  httpsRecord: readonly string[] | null;
}

/** What the program for TCP, names and plain UDP is told. */
export interface PlainConfiguration {
  nameServer: string;
  names: readonly ServedName[];
  tcp: readonly Listener<TcpBehaviour>[];
  udp: readonly Listener<UdpBehaviour>[];
}

/** What the programs for QUIC are told. */
export interface QuicConfiguration {
  udp: readonly Listener<UdpBehaviour>[];
}

/** A question that the name server was asked. */
export interface AskedQuestion {
  name: string;
  /** A, AAAA, HTTPS ... */
  type: string;
}

export const PORT = 443;

/** What every host answers, whatever is asked for. */
export function pageOf(host: string, protocol: string): string {
  return `<!doctype html><title>${host}</title><p>${host} over ${protocol}\n`;
}
