import type { ProbeFailure, ProbeRecord } from '../../ground/records/probe.ts';
import { shareInterval } from '../../statistics/share-interval.ts';

interface Proportion {
  name: string;
  hits: number;
  n: number;
  /** 95 %; null: no hosts. */
  interval: { low: number; high: number } | null;
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
  }

  /** Among hosts that answered and whose value is known. */
  get shares(): Proportion[] {
    return COUNTED.map(([name], index) => {
      const { hits, n } = this.#counts[index] ?? { hits: 0, n: 0 };
      return { name, hits, n, interval: shareInterval(hits, n) };
    });
  }

  /** Reasons of failed questions, the most frequent first, with one example each. */
  get reasons(): { failure: ProbeFailure; hosts: number }[] {
    return [...this.#reasons.values()].toSorted((a, b) => b.hosts - a.hosts);
  }
}

function either(one: boolean | null, other: boolean | null): boolean | null {
  if (one === null && other === null) return null;
  return one === true || other === true;
}
