import type { Calibration, Spread } from '../../../records/calibration.ts';
import { NetworkError } from '../../errors.ts';
import type { NetworkCondition } from '../conditions.ts';

/** A round trip may be off by so much, whichever is more. */
const RTT_TOLERANCE = { ms: 1, share: 0.05 } as const;

const RATE_TOLERANCE_SHARE = 0.05;

/**
 * A round trip with two evenly spread delays of +- J is densest (1 / 2J) at its median, so the median of n of them has
 * a standard error of J / sqrt(n). Three and a half are left to a sound path: one in two thousand is refused wrongly.
 */
const JITTER_STANDARD_ERRORS = 3.5;

/** Jitter moves the packets at both ends of the time over which a rate is measured (300 ms, less its beginning). */
const RATE_JITTER_MS = 150;

/** From here on retransmissions reach the median of TCP's round trips. */
const LOSS_IN_TCP_MEDIAN_PERCENT = 5;

/** A sender that offers less than this cannot show what the link would let through. */
const LEAST_OFFER = 1.1;

/** Bytes on the link of the prober's packets: headers of Ethernet, IP and UDP or TCP included. */
const PROBE_BYTES = { udpRequest: 55, udpAnswer: 63, tcp: 71 } as const;

/**
 * Holds what was measured against what was asked. Medians are judged, so single late or retransmitted probes do not
 * matter; without jitter and loss the tolerance is max(1 ms, 5 %) for round trips and 5 % for rates. Beyond that:
 * - a limited rate delays a probe by its own length, and a token bucket does not: up to so much more is allowed;
 * - jitter of J ms widens the round trip by 3.5 J / sqrt(probes); over TCP, where a late packet
 *   holds up the next ones, up to 2 J more are allowed; a rate is widened by J / 150 ms;
 * - bursts of loss widen a rate by twice the share they take, since the queue may run empty in one;
 * - with more than 5 % of packets lost the fastest TCP probe is judged, which may be 2 J early.
 * @param basePathRttMs what the path takes with nothing added, measured before
 * @throws NetworkError with what was asked, what was achieved and what to do.
 */
export function judgeCalibration(
  calibration: Calibration,
  condition: NetworkCondition,
  basePathRttMs = 0,
): void {
  const { jitterMs, downKbps, upKbps } = condition;
  const { udpRequest, udpAnswer, tcp } = PROBE_BYTES;
  const isLossy =
    condition.lossPercent + calibration.asked.burstLossPercent > LOSS_IN_TCP_MEDIAN_PERCENT;
  const { udpRttMs, tcpRttMs } = calibration;
  const medianMs = (count: number) => (JITTER_STANDARD_ERRORS * jitterMs) / Math.sqrt(count);

  judgeRtt(calibration, condition, basePathRttMs, {
    protocol: 'UDP',
    measured: udpRttMs,
    judged: 'median',
    earlierMs: medianMs(udpRttMs.count),
    laterMs:
      medianMs(udpRttMs.count) + onLinkMs(udpRequest, upKbps) + onLinkMs(udpAnswer, downKbps),
  });
  judgeRtt(calibration, condition, basePathRttMs, {
    protocol: 'TCP',
    measured: tcpRttMs,
    judged: isLossy ? 'minimum' : 'median',
    earlierMs: isLossy ? 2 * jitterMs : medianMs(tcpRttMs.count),
    laterMs: 2 * jitterMs + onLinkMs(tcp, upKbps) + onLinkMs(tcp, downKbps),
  });
  if (downKbps !== null) {
    judgeRate(calibration, condition, {
      direction: 'towards the browser',
      asked: downKbps,
      achieved: calibration.downKbps,
      offered: calibration.downOfferedKbps,
    });
  }
  if (upKbps !== null) {
    judgeRate(calibration, condition, {
      direction: 'towards the servers',
      asked: upKbps,
      achieved: calibration.upKbps,
      offered: calibration.upOfferedKbps,
    });
  }
}

interface RttCase {
  protocol: 'UDP' | 'TCP';
  measured: Spread;
  judged: 'median' | 'minimum';
  /** Allowed beside the tolerance that always holds. */
  earlierMs: number;
  laterMs: number;
}

function judgeRtt(
  calibration: Calibration,
  { rttMs: asked }: NetworkCondition,
  basePathRttMs: number,
  { protocol, measured, judged, earlierMs, laterMs }: RttCase,
): void {
  const toleranceMs = Math.max(RTT_TOLERANCE.ms, RTT_TOLERANCE.share * asked);
  const least = basePathRttMs + asked - toleranceMs - earlierMs;
  const most = basePathRttMs + asked + toleranceMs + laterMs;
  const found = measured[judged];
  if (found >= least && found <= most) return;
  const own = basePathRttMs > 0 ? ` (and ${shown(basePathRttMs)} ms of the path's own)` : '';
  const isRightAtBest = found > most && measured.minimum <= most;
  throw new NetworkError(
    `The network is not what was asked for: ${shown(asked)} ms of round trip were asked${own}, ` +
      `${shown(found)} ms were measured over ${protocol} ` +
      `(${judged} of ${measured.count} probes of ${shown(measured.minimum)} to ${shown(measured.maximum)} ms; ` +
      `${shown(Math.max(0, least))} to ${shown(most)} ms would do). ` +
      remedy(calibration, isRightAtBest),
  );
}

interface RateCase {
  direction: string;
  asked: number;
  achieved: number | null;
  offered: number | null;
}

function judgeRate(
  calibration: Calibration,
  { jitterMs }: NetworkCondition,
  { direction, asked, achieved, offered }: RateCase,
): void {
  const tolerance =
    RATE_TOLERANCE_SHARE +
    jitterMs / RATE_JITTER_MS +
    (2 * calibration.asked.burstLossPercent) / 100;
  if (achieved !== null && Math.abs(achieved / asked - 1) <= tolerance) return;
  const measured =
    achieved === null
      ? 'too few packets arrived to tell'
      : `${shown(achieved)} kbit/s were measured`;
  throw new NetworkError(
    `The network is not what was asked for: ${shown(asked)} kbit/s ${direction} were asked, ${measured} ` +
      `(${shown(offered ?? 0)} kbit/s were sent; ${shown(100 * tolerance)} % more or less would do). ` +
      (offered !== null && offered < LEAST_OFFER * asked
        ? `This machine cannot send faster just now (${load(calibration)}): stop other programs, or ask for a lower rate.`
        : remedy(calibration, achieved !== null && achieved < asked)),
  );
}

/** A busy machine only makes things late; whatever is wrong otherwise is wrong with the path. */
function remedy(calibration: Calibration, maybeBusy: boolean): string {
  const { backend, linkPriority } = calibration;
  if (!maybeBusy) {
    const other = backend === 'netem' ? 'userspace' : 'netem';
    return (
      'A busy machine does not explain this, so the path itself is wrong. Run again with ' +
      `--network-backend ${other} if this machine has it (npm run doctor says so), and report this message.`
    );
  }
  const priority =
    linkPriority !== null && linkPriority !== 'fifo'
      ? ' As root the link has real-time priority, which keeps it exact on a busy machine.'
      : '';
  return `The machine may be too busy (${load(calibration)}): stop other programs and run again.${priority}`;
}

function load({ loadAverage1m, cores }: Calibration): string {
  return `load average ${shown(loadAverage1m)} on ${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

/** How long a packet occupies a link of that rate; kbit/s is bit per ms. */
function onLinkMs(bytes: number, kbps: number | null): number {
  return kbps === null ? 0 : (bytes * 8) / kbps;
}

function shown(value: number): string {
  return String(Number(value.toFixed(value < 1000 ? 2 : 0)));
}
