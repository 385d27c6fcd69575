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
 * Wraps a client so that it skips trials that cannot succeed. Trials by QUIC alone over a network that stops UDP are
 * `unsupported` instead of a timeout each, as are loads by HTTP/3 of a live page whose host has no HTTP/3. A live page
 * whose host has no address fails without another request.
 * @param blockOf the trials that one attempt measures together; they are skipped together
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
      const skippedAttempt = (skipped: Trial): Attempt =>
        skipResultOf(skipped) ?? { ...why, ...invalidWithArm(each, why) };
      const otherTrials = block.filter(({ arm }) => arm !== trial.arm);
      return {
        ...skippedAttempt(trial),
        otherArms: new Map(otherTrials.map((other) => [other.arm, skippedAttempt(other)])),
      };
    }
    return null;
  };
  return {
    get isWorn() {
      return client.isWorn;
    },
    ...(client.clientKey && { clientKey: client.clientKey }),
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

/** A prepared trial, or the result of one that is skipped. */
type SkippableTrial =
  | { why?: undefined; prepared: unknown }
  | { why: Attempt; prepared?: undefined };

/** Result of a trial whose server cannot be reached; null: it may be reached. */
function unreachableResult(trial: Trial, { stack, skipResult }: ReadyServer): Attempt | null {
  if (skipResult) return { ...EMPTY_ATTEMPT, ...skipResult, startedAt: new Date() };
  const { network, arm } = trial;
  const { udp } = network;
  if (udp === undefined || !stopsUdp(udp) || !usesOnlyQuic(trial, stack)) return null;
  return {
    ...EMPTY_ATTEMPT,
    outcome: 'unsupported',
    code: `udp-${udp.treatment}`,
    message: `Skipped: this trial of ${arm} uses QUIC alone, and the network ${network.name} stops UDP (${udp.treatment}), which the calibration of the path confirmed.`,
    startedAt: new Date(),
  };
}

function usesOnlyQuic(
  { factors }: Trial,
  { protocol, serverStack }: ReadyServer['stack'],
): boolean {
  if (serverStack?.transport) return serverStack.transport === 'quic';
  return isOverQuic(protocol) && (!offersBoth(protocol) || factors.visit === 'forced');
}
