import type { NetworkCondition } from '../conditions.ts';
import type { Measurement } from './calibrate.ts';

/** What a measurement says of the path and of the machine; each is null, or a text for users. */
export interface Verdict {
  /** The path is not what was asked for. */
  wrong: string | null;
  /** The machine was late. */
  late: string | null;
}

const RATE_TOLERANCE_SHARE = 0.05;

/** Jitter moves the packets at both ends of the time over which a rate is measured (300 ms, less its beginning). */
const RATE_JITTER_MS = 150;

/** A sender that offers less than this cannot show what the link would let through. */
const LEAST_OFFER = 1.1;

/** What was asked of one direction, and found. */
interface RateCase {
  /** As in `kbit/s towards the browser`. */
  direction: string;
  asked: number | null;
  achieved: number | null;
  offered: number | null;
  pausedPercent: number | null;
}

/** Whether a rate is what was asked for, and else whether pauses explain it. */
export function rateVerdict(
  measurement: Measurement,
  { jitterMs }: NetworkCondition,
  { direction, asked, achieved, offered, pausedPercent }: RateCase,
): Partial<Verdict> {
  if (asked === null) return {};
  const tolerance =
    RATE_TOLERANCE_SHARE +
    jitterMs / RATE_JITTER_MS +
    (2 * measurement.asked.burstLossPercent) / 100;
  const error = achieved === null ? null : achieved / asked - 1;
  if (error !== null && Math.abs(error) <= tolerance) return {};
  const paused = (pausedPercent ?? 0) / 100;
  if (error !== null && error >= -tolerance - 2 * paused && error <= tolerance + 3 * paused ** 2) {
    return {
      late: `${shown(achieved ?? 0)} kbit/s ${direction} were measured where ${shown(asked)} were asked, with ${shown(100 * paused)} % of the time in pauses`,
    };
  }
  const measured =
    achieved === null
      ? 'too few packets arrived to tell'
      : `${shown(achieved)} kbit/s were measured`;
  const isTooHigh = error !== null && error > 0;
  const wrong =
    `The network is not what was asked for: ${shown(asked)} kbit/s ${direction} were asked, ${measured} ` +
    `(${shown(offered ?? 0)} kbit/s were sent; ${shown(100 * tolerance)} % more or less would do). ` +
    (!isTooHigh && offered !== null && offered < LEAST_OFFER * asked
      ? `This machine cannot send faster (${load(measurement)}): stop other programs, or ask for a lower rate.`
      : remedy(measurement));
  return { wrong };
}

/** What to do about a path that is wrong. */
export function remedy({ backend }: Measurement): string {
  const other = backend === 'netem' ? 'userspace' : 'netem';
  return (
    'A busy machine does not explain this, so the path itself is wrong. Run again with ' +
    `--network-backend ${other} if this machine has it (npm run doctor says so), and report this message.`
  );
}

function load({ loadAverage1m, cores }: Measurement): string {
  return `load average ${shown(loadAverage1m)} on ${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

/** A number in a sentence. */
export function shown(value: number): string {
  return String(Number(value.toFixed(value < 1000 ? 2 : 0)));
}
