import { systemText } from '../../ground/records/autonomous-system.ts';
import type { ProbedAddress, ProbeFailure, ProbeRecord } from '../../ground/records/probe.ts';
import { shareInterval } from '../../statistics/share-interval.ts';
import { addressOfQuic, addressOfTls } from './addresses.ts';

export interface Proportion {
  name: string;
  hits: number;
  n: number;
  /** 95 %; null: no hosts. */
  interval: { low: number; high: number } | null;
}

/** Times until a request may leave, one of each host. */
export interface SystemTimes {
  name: string;
  tlsMs: number[];
  quicMs: number[];
}

/** Counted features; null: not known of this host. */
const COUNTED: readonly [name: string, isTrue: (record: ProbeRecord) => boolean | null][] = [
  ['TLS 1.3', ({ tls13 }) => tls13],
  ['TLS 1.2', ({ tls12 }) => tls12],
  ['TLS 1.1 or 1.0', ({ tls11, tls10 }) => either(tls11, tls10)],
  ['X25519MLKEM768', ({ postQuantum }) => postQuantum],
  ['h2', ({ alpnH2 }) => alpnH2],
  ['h3', ({ h3 }) => h3],
  ['QUIC version 2', ({ quicVersions }) => quicVersions?.includes('2') ?? null],
  [
    'Alt-Svc with h3',
    ({ status, altSvc }) => (status === null ? null : /\bh3=/.test(altSvc ?? '')),
  ],
  ['HTTPS record', ({ httpsRecords }) => httpsRecords && httpsRecords.length > 0],
  ['Retry', ({ retry }) => retry],
  [
    'More than threefold',
    ({ amplification }) => (amplification === null ? null : amplification > 3),
  ],
  [
    'Session tickets',
    ({ sessionTickets }) => (sessionTickets === null ? null : sessionTickets > 0),
  ],
  [
    'IPv6',
    ({ addresses }) => addresses.some((each) => each.family === 'ipv6' && (each.tcp || each.udp)),
  ],
];

/** Counts hosts without keeping their records. */
export class Adoption {
  readonly #counts = COUNTED.map(() => ({ hits: 0, n: 0 }));
  readonly #http3BySystem = new Map<string, { hits: number; n: number }>();
  readonly #timesBySystem = new Map<string, SystemTimes>();
  readonly #reasons = new Map<string, { failure: ProbeFailure; hosts: number }>();
  hosts = 0;
  answered = 0;

  add(record: ProbeRecord): void {
    this.hosts++;
    for (const failure of record.failures) {
      const key = `${failure.question} ${failure.layer} ${failure.code}`;
      const known = this.#reasons.get(key);
      if (known) known.hosts++;
      else this.#reasons.set(key, { failure, hosts: 1 });
    }
    if (!record.answered) return;
    this.answered++;
    for (const [index, [, isTrue]] of COUNTED.entries()) {
      const value = isTrue(record);
      const count = this.#counts[index];
      if (value === null || !count) continue;
      count.n++;
      if (value) count.hits++;
    }
    const ofQuic = addressOfQuic(record.addresses);
    this.#addTime('tlsMs', record.tlsMs, addressOfTls(record.addresses));
    this.#addTime('quicMs', record.quicMs, ofQuic);
    const system = ofQuic?.autonomousSystem;
    if (system === undefined || record.h3 === null) return;
    const name = systemText(system);
    const { hits, n } = this.#http3BySystem.get(name) ?? { hits: 0, n: 0 };
    this.#http3BySystem.set(name, { hits: hits + Number(record.h3), n: n + 1 });
  }

  /** Not at addresses that are not routed. */
  #addTime(
    name: 'tlsMs' | 'quicMs',
    valueMs: number | null | undefined,
    address: ProbedAddress | undefined,
  ): void {
    const system = address?.autonomousSystem;
    if (!system || valueMs == null) return;
    const times = this.#timesBySystem.get(systemText(system)) ?? {
      name: systemText(system),
      tlsMs: [],
      quicMs: [],
    };
    times[name].push(valueMs);
    this.#timesBySystem.set(times.name, times);
  }

  /** Among hosts that answered and whose value is known. */
  get shares(): Proportion[] {
    return COUNTED.map(([name], index) =>
      proportionOf(name, this.#counts[index] ?? { hits: 0, n: 0 }),
    );
  }

  /** Hosts that speak HTTP/3, by autonomous system of the address; empty without a table. */
  get http3BySystem(): Proportion[] {
    return [...this.#http3BySystem]
      .map(([name, count]) => proportionOf(name, count))
      .toSorted((a, b) => b.n - a.n);
  }

  /** Times by autonomous system of the address, those with the most hosts first; empty without a table. */
  get timesBySystem(): SystemTimes[] {
    const hosts = ({ tlsMs, quicMs }: SystemTimes) => Math.max(tlsMs.length, quicMs.length);
    return [...this.#timesBySystem.values()].toSorted((a, b) => hosts(b) - hosts(a));
  }

  /** Reasons of failed questions, the most frequent first, with one example each. */
  get reasons(): { failure: ProbeFailure; hosts: number }[] {
    return [...this.#reasons.values()].toSorted((a, b) => b.hosts - a.hosts);
  }
}

function proportionOf(name: string, { hits, n }: { hits: number; n: number }): Proportion {
  return { name, hits, n, interval: shareInterval(hits, n) };
}

function either(one: boolean | null, other: boolean | null): boolean | null {
  if (one === null && other === null) return null;
  return one === true || other === true;
}
