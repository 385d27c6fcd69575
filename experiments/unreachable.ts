import { isOverQuic, offersBoth } from '../ground/records/protocol.ts';
import type { Trial } from '../ground/records/run.ts';
import { stopsUdp } from '../network/udp.ts';
import {
  type Attempt,
  type Client,
  EMPTY_ATTEMPT,
  invalidWithArm,
  type ReadyServer,
  serverOf,
} from './measuring.ts';

/**
 * The same client, which does not ask in vain: where the network lets no UDP through, what speaks nothing but QUIC reaches no server, and
 * a page out there whose host has no HTTP/3 is not loaded by it. Such a trial is `unsupported`, at once and without a time, rather than a
 * time-out each time; and a page whose host has no address has failed without being asked for again.
 * @param blockOf the trials that are measured by one attempt, and so all of them or none
 */
export function skipUnreachable(
  client: Client,
  servers: readonly ReadyServer[],
  blockOf: (trial: Trial) => readonly Trial[] = (trial) => [trial],
): Client {
  const unreachable = (trial: Trial) => {
    const block = blockOf(trial);
    const skipResultOf = (each: Trial) => unreachableResult(each, serverOf(each.arm, servers));
    for (const each of block) {
      const why = skipResultOf(each);
      if (why === null) continue;
      const skippedAttempt = (other: Trial): Attempt =>
        skipResultOf(other) ?? { ...why, ...invalidWithArm(each, why) };
      const others = block.filter(({ arm }) => arm !== trial.arm);
      return {
        ...skippedAttempt(trial),
        otherArms: new Map(others.map((other) => [other.arm, skippedAttempt(other)])),
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
    async prepare(trial): Promise<SkippableTrial> {
      const why = unreachable(trial);
      return why === null ? { prepared: await client.prepare(trial) } : { why };
    },
    async measure(skippable) {
      const { why, prepared } = skippable as SkippableTrial;
      return why ?? client.measure(prepared);
    },
    async readyForNext(skippable) {
      const { why, prepared } = skippable as SkippableTrial;
      if (why === undefined) await client.readyForNext(prepared);
    },
    async dispose(skippable) {
      const { why, prepared } = skippable as SkippableTrial;
      if (why === undefined) await client.dispose(prepared);
    },
    close: () => client.close(),
  };
}

/** A trial that is prepared, or what came of it without. */
type SkippableTrial =
  | { why?: undefined; prepared: unknown }
  | { why: Attempt; prepared?: undefined };

/** What comes of a trial whose server nothing can reach; null: it may be reached. */
function unreachableResult(trial: Trial, { stack, unasked }: ReadyServer): Attempt | null {
  if (unasked) return { ...EMPTY_ATTEMPT, ...unasked, startedAt: new Date() };
  const { network, arm } = trial;
  const { udp } = network;
  if (udp === undefined || !stopsUdp(udp) || !usesOnlyQuic(trial, stack)) return null;
  return {
    ...EMPTY_ATTEMPT,
    outcome: 'unsupported',
    code: `udp-${udp.treatment}`,
    message: `Not asked: ${arm} is spoken to by QUIC alone here, and the network ${network.name} lets no UDP through, as it was asked to (${udp.treatment}); the path was measured to do so.`,
    startedAt: new Date(),
  };
}

/** Whether QUIC is all that an arm's server is asked by. */
function usesOnlyQuic({ factors }: Trial, { protocol, asked }: ReadyServer['stack']): boolean {
  if (asked) return asked.via === 'quic';
  return isOverQuic(protocol) && (!offersBoth(protocol) || factors.visit === 'forced');
}
