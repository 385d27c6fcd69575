import { isOverQuic, offersBoth } from '../ground/records/protocol.ts';
import type { Trial } from '../ground/records/run.ts';
import { stopsUdp } from '../network/udp.ts';
import {
  type Attempt,
  type Client,
  NOTHING_SEEN,
  notTogether,
  type ReadyServer,
  serverOf,
} from './measuring.ts';

/**
 * The same client, which does not ask in vain: where the network lets no UDP through, what speaks nothing but QUIC reaches no server, and
 * a page out there whose host has no HTTP/3 is not loaded by it. Such a trial is `unsupported`, at once and without a time, rather than a
 * time-out each time; and a page whose host has no address has failed without being asked for again.
 * @param together the trials that are measured by one attempt, and so all of them or none
 */
export function sparing(
  client: Client,
  servers: readonly ReadyServer[],
  together: (trial: Trial) => readonly Trial[] = (trial) => [trial],
): Client {
  const unreachable = (trial: Trial) => {
    const block = together(trial);
    const whyOf = (each: Trial) => whyUnreachable(each, serverOf(each.arm, servers));
    for (const each of block) {
      const why = whyOf(each);
      if (why === null) continue;
      const spared = (other: Trial): Attempt =>
        whyOf(other) ?? { ...why, ...notTogether(each, why) };
      const others = block.filter(({ arm }) => arm !== trial.arm);
      return {
        ...spared(trial),
        others: new Map(others.map((other) => [other.arm, spared(other)])),
      };
    }
    return null;
  };
  return {
    get isWorn() {
      return client.isWorn;
    },
    ...(client.askerOf && { askerOf: client.askerOf }),
    ...(client.warmUp && {
      warmUp: async (trials: readonly Trial[]) =>
        client.warmUp?.(trials.filter((trial) => unreachable(trial) === null)),
    }),
    async prepare(trial): Promise<Spared> {
      const why = unreachable(trial);
      return why === null ? { prepared: await client.prepare(trial) } : { why };
    },
    async measure(spared) {
      const { why, prepared } = spared as Spared;
      return why ?? client.measure(prepared);
    },
    async settling(spared) {
      const { why, prepared } = spared as Spared;
      if (why === undefined) await client.settling(prepared);
    },
    async dispose(spared) {
      const { why, prepared } = spared as Spared;
      if (why === undefined) await client.dispose(prepared);
    },
    close: () => client.close(),
  };
}

/** A trial that is prepared, or what came of it without. */
type Spared = { why?: undefined; prepared: unknown } | { why: Attempt; prepared?: undefined };

/** What comes of a trial whose server nothing can reach; null: it may be reached. */
function whyUnreachable(trial: Trial, { stack, unasked }: ReadyServer): Attempt | null {
  if (unasked) return { ...NOTHING_SEEN, ...unasked, startedAt: new Date() };
  const { network, arm } = trial;
  const { udp } = network;
  if (udp === undefined || !stopsUdp(udp) || !speaksQuicAlone(trial, stack)) return null;
  return {
    ...NOTHING_SEEN,
    outcome: 'unsupported',
    code: `udp-${udp.treatment}`,
    message: `Not asked: ${arm} is spoken to by QUIC alone here, and the network ${network.name} lets no UDP through, as it was asked to (${udp.treatment}); the path was measured to do so.`,
    startedAt: new Date(),
  };
}

/** Whether QUIC is all that an arm's server is asked by. */
function speaksQuicAlone({ factors }: Trial, { protocol, asked }: ReadyServer['stack']): boolean {
  if (asked) return asked.via === 'quic';
  return isOverQuic(protocol) && (!offersBoth(protocol) || factors.visit === 'forced');
}
