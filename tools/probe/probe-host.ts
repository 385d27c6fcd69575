import type { QuicConnector } from '../../clients/quic-connector.ts';
import type { Host } from '../../ground/options/hosts.ts';
import { FORMAT } from '../../ground/records/format.ts';
import type { ProbedAddress, ProbeRecord } from '../../ground/records/probe.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { addressOf, tryTcp } from './addresses.ts';
import { askHttpsRecords } from './name-server.ts';
import { Questioner } from './questioner.ts';
import { askQuic, askVersions, NO_FLIGHT } from './quic-questions.ts';
import { askTls, NO_TLS_PARAMETERS } from './tls-questions.ts';

export interface ProbeOptions {
  timeoutMs: number;
  /** Certificates (PEM) of authorities to trust; null: certificates are not checked. */
  authorities: readonly string[] | null;
  clients: QuicConnector;
  signal: AbortSignal;
}

/** What is known of an address once it was tried. */
interface TriedAddress extends ProbedAddress {
  quicVersions: string[] | null;
}

/**
 * Asks one host everything, once: TLS at its first address that TCP reaches, QUIC at the first that answers it, IPv6 before IPv4.
 * Addresses that answer neither are asked for QUIC all the same: not every server says which versions it knows.
 */
export async function probeHost(host: Host, probing: ProbeOptions): Promise<ProbeRecord> {
  const { timeoutMs, authorities, clients, signal } = probing;
  const startedAt = new Date().toISOString();
  const took = startStopwatch();
  const asking = new Questioner(signal);
  const [httpsRecords, ...tried] = await Promise.all([
    asking.answer('https record', () => askHttpsRecords(host, timeoutMs, signal)),
    tryAddress(host, 'ipv6', probing, asking),
    tryAddress(host, 'ipv4', probing, asking),
  ]);
  const addresses = tried.filter((each) => each !== null);
  const byTcp = addresses.find(({ tcp }) => tcp);
  const byUdp = addresses.find(({ udp }) => udp) ?? byTcp ?? addresses[0];
  const server = ({ address }: TriedAddress) => ({ ...host, address, timeoutMs, signal });
  const [tls, quic] = await Promise.all([
    byTcp ? askTls(server(byTcp), authorities, asking) : NO_TLS,
    byUdp ? askQuic(server(byUdp), { clients, asking, hasOfferedVersions: byUdp.udp }) : NO_QUIC,
  ]);
  const answered = addresses.some(({ tcp, udp }) => tcp || udp) || quic.retry !== null;
  return {
    ...FORMAT,
    ...host,
    startedAt,
    answered,
    addresses: addresses.map(({ quicVersions: _, ...address }) => address),
    ...tls,
    ...(answered && !byTcp && REFUSED_TLS),
    httpsRecords,
    ...quic,
    h3: answered ? quic.h3 : null,
    quicVersions: byUdp?.quicVersions ?? null,
    failures: asking.failures,
    tookMs: took(),
  };
}

/** null: the host has no such address. */
async function tryAddress(
  host: Host,
  family: ProbedAddress['family'],
  { timeoutMs, signal }: ProbeOptions,
  asking: Questioner,
): Promise<TriedAddress | null> {
  const address = await asking.answer(family, () =>
    addressOf(host.host, family, timeoutMs, signal),
  );
  if (address === null) return null;
  const place = { address, port: host.port };
  const [tcp, quicVersions] = await Promise.all([
    asking.succeeds(family, () => tryTcp(place, timeoutMs, signal)),
    asking.answer('quic versions', () => askVersions(place, timeoutMs, signal)),
  ]);
  return { address, family, tcp: tcp === true, udp: quicVersions !== null, quicVersions };
}

const NO_TLS = {
  ...NO_TLS_PARAMETERS,
  tls13: null,
  tls12: null,
  tls11: null,
  tls10: null,
  certificateChainBytes: null,
  alpnH2: null,
  alpnHttp11: null,
  postQuantum: null,
};

/** Of a host that answers, but not TCP; why not is told of its addresses. */
const REFUSED_TLS = {
  tls13: false,
  tls12: false,
  tls11: false,
  tls10: false,
  alpnH2: false,
  alpnHttp11: false,
  postQuantum: false,
};

const NO_QUIC = { ...NO_FLIGHT, h3: null };
