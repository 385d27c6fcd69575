import type { QuicConnector } from '../../clients/quic-connector.ts';
import type { Host } from '../../ground/options/hosts.ts';
import { FORMAT } from '../../ground/records/format.ts';
import type { ProbedAddress, ProbeRecord } from '../../ground/records/probe.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import type { AsTable } from '../../network/as-table.ts';
import { addressOf, addressOfQuic, addressOfTls, tryTcp } from './addresses.ts';
import { requestHttpsRecords } from './name-server.ts';
import { Questioner } from './questioner.ts';
import { NO_FLIGHT, probeQuic, requestVersions } from './quic-questions.ts';
import { NO_TLS_PARAMETERS, probeTls } from './tls-questions.ts';

export interface ProbeOptions {
  timeoutMs: number;
  /** Certificates (PEM) of authorities to trust; null: certificates are not checked. */
  authorities: readonly string[] | null;
  clients: QuicConnector;
  /** null: the user has no table. */
  systems: AsTable | null;
  signal: AbortSignal;
}

interface TriedAddress extends ProbedAddress {
  quicVersions: string[] | null;
}

/**
 * Probes one host: TLS at its first address that TCP reaches, QUIC at the first that answers it, IPv6 before IPv4.
 * Tries QUIC also where neither answers: some servers skip version negotiation.
 */
export async function probeHost(host: Host, probing: ProbeOptions): Promise<ProbeRecord> {
  const { timeoutMs, authorities, clients, signal } = probing;
  const startedAt = new Date().toISOString();
  const took = startStopwatch();
  const questioner = new Questioner(signal);
  const [httpsRecords, ...tried] = await Promise.all([
    questioner.answer('https record', () => requestHttpsRecords(host, timeoutMs, signal)),
    tryAddress(host, 'ipv6', probing, questioner),
    tryAddress(host, 'ipv4', probing, questioner),
  ]);
  const addresses = tried.filter((each) => each !== null);
  const byTcp = addressOfTls(addresses);
  const byUdp = addressOfQuic(addresses);
  const server = ({ address }: TriedAddress) => ({ ...host, address, timeoutMs, signal });
  const [tls, quic] = await Promise.all([
    byTcp ? probeTls(server(byTcp), authorities, questioner) : NO_TLS,
    byUdp
      ? probeQuic(server(byUdp), { clients, questioner, hasOfferedVersions: byUdp.udp })
      : NO_QUIC,
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
    failures: questioner.failures,
    tookMs: took(),
  };
}

/** null: the host has no such address. */
async function tryAddress(
  host: Host,
  family: ProbedAddress['family'],
  { timeoutMs, signal, systems }: ProbeOptions,
  questioner: Questioner,
): Promise<TriedAddress | null> {
  const address = await questioner.answer(family, () =>
    addressOf(host.host, family, timeoutMs, signal),
  );
  if (address === null) return null;
  const place = { address, port: host.port };
  const [tcp, quicVersions] = await Promise.all([
    questioner.succeeds(family, () => tryTcp(place, timeoutMs, signal)),
    questioner.answer('quic versions', () => requestVersions(place, timeoutMs, signal)),
  ]);
  return {
    address,
    family,
    ...(systems && { autonomousSystem: systems.find(address) }),
    tcp: tcp === true,
    udp: quicVersions !== null,
    quicVersions,
  };
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

/** Results of TLS at a host that answers QUIC only; its addresses have the failures of TCP. */
const REFUSED_TLS = {
  tls13: false,
  tls12: false,
  tls11: false,
  tls10: false,
  alpnH2: false,
  alpnHttp11: false,
  postQuantum: false,
};

const NO_QUIC = { ...NO_FLIGHT, h3: null, quicMs: null };
