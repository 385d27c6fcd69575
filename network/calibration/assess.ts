import type { Spread } from '../../ground/records/calibration.ts';
import { losesPackets } from '../../ground/records/dimensions.ts';
import type { SeededCondition } from '../conditions.ts';
import type { Measurement } from './calibrate.ts';

/**
 * The path itself adds 0.1 to 0.6 ms, and the user-space link may be up to 0.3 ms early. These bounds accept that,
 * and reject a path that is 1 ms wrong in either direction. At long round trips the larger share applies.
 */
const SETTING_TOLERANCE = {
  minimum: { earlierMs: 0.5, laterMs: 0.8 },
  p25: { earlierMs: 0.3, laterMs: 0.9 },
  share: 0.01,
} as const;

/** Largest difference between the lower quartile and the 90th percentile on a machine that is not late. */
const STEADY_MS = 0.5;

/** From this delay of probes on the machine counts as late: `ms`, or `share` of the round trip if that is more. */
const LATENESS_TOLERANCE = {
  median: { ms: 1, share: 0.05 },
  p99: { ms: 5, share: 0.1 },
} as const;

/**
 * A round trip with two delays, each uniform over +-J, has a triangular density; a quarter of it lies J (2 - sqrt 2)
 * below the median. Quantile p of n probes has a standard error of sqrt(p (1 - p) / n) / density: J / sqrt(n) for the
 * median, 1.22 J / sqrt(n) for the lower quartile. At 3.5 standard errors one correct path in 2000 is rejected.
 */
const JITTER = {
  quartileEarlier: 2 - Math.SQRT2,
  quartileErrors: 3.5 * Math.sqrt(1.5),
  medianErrors: 3.5,
} as const;

/** From this loss on, retransmissions change the median of TCP's round trips. */
const LOSS_IN_TCP_MEDIAN_PERCENT = 5;

/** Size of the probes on the link, with the headers of Ethernet, IP and UDP or TCP. */
const PROBE_BYTES = { udpRequest: 55, udpAnswer: 63, tcp: 71 } as const;

/**
 * Distinguishes a wrong path from a late machine. A late machine delays some probes and never hastens one: the
 * fastest probes show the path's settings, the median and the slowest ones show the machine's lateness.
 * - The path is wrong if the fastest probe or the lower quartile is too early, if the fastest probe is too late, or
 *   if the lower quartile is too late although the probes agree, which they do not on a late machine.
 * - The machine is late if the median (UDP and TCP) or p99 (UDP: over TCP one late packet delays the next) is too late.
 * - A wrong rate is due to the machine as far as pauses between packets explain it, otherwise to the path. Packets
 *   that wait in a pause arrive after it. So the rate is lower by at most twice the share of the pauses (an empty
 *   queue, and a bent line), and higher by at most three times its square (the line alone).
 *
 * Beyond the tolerances:
 * - a limited rate delays a probe by its own length, and a token bucket does not: this much more is allowed;
 * - jitter of J ms spreads round trips over +-2 J, which moves and widens their quantiles; over TCP, where a late
 *   packet delays the next ones, all may be 2 J later; the tolerance of a rate grows by J / 150 ms;
 * - bursts of loss widen a rate by twice their share of the time, since they may empty the queue;
 * - with more than 5 % loss only the fastest TCP probe is assessed.
 */
export function assessCalibration(
  measurement: Measurement,
  condition: SeededCondition,
): Assessment {
  const { jitterMs, downKbps, upKbps } = condition;
  const { udpRequest, udpAnswer, tcp } = PROBE_BYTES;
  const lossPercent = condition.lossPercent + measurement.requested.burstLossPercent;
  const onlyMinimum = lossPercent > LOSS_IN_TCP_MEDIAN_PERCENT;
  const trips: RoundTrips[] = [
    {
      protocol: 'UDP',
      measured: measurement.udpRttMs,
      laterMs: onLinkMs(udpRequest, upKbps) + onLinkMs(udpAnswer, downKbps),
      onlyMinimum: false,
      late: ['median', 'p99'],
    },
    {
      protocol: 'TCP',
      measured: measurement.tcpRttMs,
      laterMs: 2 * jitterMs + onLinkMs(tcp, upKbps) + onLinkMs(tcp, downKbps),
      onlyMinimum,
      late: onlyMinimum ? [] : ['median'],
    },
  ];
  const verdicts: Partial<Assessment>[] = [
    ...trips.flatMap((each) => [
      { wrong: wrongRoundTrip(measurement, condition, each) },
      ...each.late.map((statistic) => ({ late: lateness(condition, each, statistic) })),
    ]),
    assessRate(measurement, condition, {
      direction: 'towards the browser',
      target: downKbps,
      achieved: measurement.downKbps,
      offered: measurement.downOfferedKbps,
      pausedPercent: measurement.downPausedPercent,
    }),
    assessRate(measurement, condition, {
      direction: 'towards the servers',
      target: upKbps,
      achieved: measurement.upKbps,
      offered: measurement.upOfferedKbps,
      pausedPercent: measurement.upPausedPercent,
    }),
    ...assessTreatment(measurement, condition),
  ];
  const late = verdicts.flatMap((verdict) => verdict.late ?? []);
  return {
    wrong: verdicts.find(({ wrong }) => wrong)?.wrong ?? null,
    late: late.length === 0 ? null : `The path was late when it was measured: ${late.join('; ')}.`,
  };
}

interface RoundTrips {
  protocol: 'UDP' | 'TCP';
  measured: Required<Spread>;
  /** Lateness allowed in addition to the tolerance. */
  laterMs: number;
  onlyMinimum: boolean;
  late: ('median' | 'p99')[];
}

/** Message about the fastest probes; null: they are correct. */
function wrongRoundTrip(
  measurement: Measurement,
  { rttMs: target, jitterMs }: SeededCondition,
  { protocol, measured, laterMs, onlyMinimum }: RoundTrips,
): string | null {
  const shareMs = SETTING_TOLERANCE.share * target;
  const middles = { minimum: target, p25: target - JITTER.quartileEarlier * jitterMs };
  const quartileMs = (JITTER.quartileErrors * jitterMs) / Math.sqrt(measured.count);
  const widths = {
    minimum: { earlierMs: 2 * jitterMs, laterMs },
    p25: { earlierMs: quartileMs, laterMs: quartileMs + laterMs },
  };
  const isSteady = measured.p90 - measured.p25 <= STEADY_MS + 2.5 * jitterMs + laterMs;
  for (const statistic of onlyMinimum ? (['minimum'] as const) : (['minimum', 'p25'] as const)) {
    const tolerance = SETTING_TOLERANCE[statistic];
    const least =
      middles[statistic] - Math.max(tolerance.earlierMs, shareMs) - widths[statistic].earlierMs;
    const most =
      middles[statistic] + Math.max(tolerance.laterMs, shareMs) + widths[statistic].laterMs;
    const found = measured[statistic];
    if (found >= least && (found <= most || (statistic === 'p25' && !isSteady))) continue;
    return (
      `The network differs from its settings: the round trip over ${protocol} is ${numberText(found)} ms instead of ${numberText(target)} ms ` +
      `(${NAMES[statistic]} of ${measured.count} probes of ${numberText(measured.minimum)} to ${numberText(measured.maximum)} ms; ` +
      `allowed: ${numberText(Math.max(0, least))} to ${numberText(most)} ms). ${remedy(measurement)}`
    );
  }
  return null;
}

const NAMES = {
  minimum: 'minimum',
  p25: 'lower quartile',
  median: 'median',
  p99: '99th percentile',
} as const;

/** Message about the machine's lateness; null: not late. */
function lateness(
  { rttMs: target, jitterMs }: SeededCondition,
  { protocol, measured, laterMs }: RoundTrips,
  statistic: 'median' | 'p99',
): string | null {
  const tolerance = LATENESS_TOLERANCE[statistic];
  const jitteredMs =
    statistic === 'p99'
      ? 2 * jitterMs
      : (JITTER.medianErrors * jitterMs) / Math.sqrt(measured.count);
  const toleranceMs = Math.max(tolerance.ms, tolerance.share * target);
  const most = target + toleranceMs + jitteredMs + laterMs;
  const found = measured[statistic];
  return found <= most
    ? null
    : `a round trip over ${protocol} took ${numberText(found)} ms (${NAMES[statistic]} of ${measured.count}; at most ${numberText(most)} ms on a quiet machine)`;
}

/** Transmission time of a packet at that rate; 1 kbit/s is 1 bit/ms. */
function onLinkMs(bytes: number, kbps: number | null): number {
  return kbps === null ? 0 : (bytes * 8) / kbps;
}

/** Messages for users; null: no error. */
interface Assessment {
  wrong: string | null;
  late: string | null;
}

const RATE_TOLERANCE_SHARE = 0.05;

/** A jitter of J ms adds J / 150 ms to the tolerance: it moves packets at both ends of the 300 ms of a measurement. */
const RATE_JITTER_MS = 150;

/** Smallest offered load, as a multiple of the rate, that shows the link's rate. */
const LEAST_OFFER = 1.1;

interface RateCase {
  /** As in `kbit/s towards the browser`. */
  direction: string;
  target: number | null;
  achieved: number | null;
  offered: number | null;
  pausedPercent: number | null;
}

/** Compares a rate with its target, and checks whether pauses explain the difference. */
function assessRate(
  measurement: Measurement,
  { jitterMs }: SeededCondition,
  { direction, target, achieved, offered, pausedPercent }: RateCase,
): Partial<Assessment> {
  if (target === null) return {};
  const tolerance =
    RATE_TOLERANCE_SHARE +
    jitterMs / RATE_JITTER_MS +
    (2 * measurement.requested.burstLossPercent) / 100;
  const error = achieved === null ? null : achieved / target - 1;
  if (error !== null && Math.abs(error) <= tolerance) return {};
  const paused = (pausedPercent ?? 0) / 100;
  if (error !== null && error >= -tolerance - 2 * paused && error <= tolerance + 3 * paused ** 2) {
    return {
      late: `the rate was ${numberText(achieved ?? 0)} kbit/s ${direction} instead of ${numberText(target)}, with ${numberText(100 * paused)} % of the time in pauses`,
    };
  }
  const measured =
    achieved === null
      ? 'too few packets arrived to measure it'
      : `it is ${numberText(achieved)} kbit/s`;
  const isTooHigh = error !== null && error > 0;
  const wrong =
    `The network differs from its settings: the rate should be ${numberText(target)} kbit/s ${direction}, ${measured} ` +
    `(${numberText(offered ?? 0)} kbit/s were sent; allowed: ±${numberText(100 * tolerance)} %). ` +
    (!isTooHigh && offered !== null && offered < LEAST_OFFER * target
      ? `This machine cannot send faster (${load(measurement)}): stop other programs, or select a lower rate.`
      : remedy(measurement));
  return { wrong };
}

function remedy({ backend }: Measurement): string {
  const other = backend === 'netem' ? 'userspace' : 'netem';
  return (
    'A busy machine does not explain this, so the path itself is wrong. Run again with ' +
    `--network-backend ${other} if this machine has it (npm run doctor says so), and report this message.`
  );
}

function load({ loadAverage1m, cores }: Measurement): string {
  return `load average ${numberText(loadAverage1m)} on ${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

function numberText(value: number): string {
  return String(Number(value.toFixed(value < 1000 ? 2 : 0)));
}

type MeasuredTreatment = NonNullable<Measurement['udp']>;

/** errno of Linux for ICMP "communication administratively prohibited". */
const PROHIBITED = 'EHOSTUNREACH';

/** Smallest rate of TCP, as a multiple of UDP's, that shows that TCP is not throttled. */
const TCP_IS_FASTER = 1.2;

/** If the path's rate exceeds UDP's by this factor, it does not limit TCP. */
const PATH_HAS_ROOM = 4;

/**
 * Checks the treatment of UDP: blocked and rejected datagrams must not arrive, the sender of rejected ones must
 * receive the error, and the rate of throttled ones is assessed like any rate. TCP's rate is assessed if neither
 * loss nor the path's own rate limits it.
 */
function assessTreatment(
  measurement: Measurement,
  condition: SeededCondition,
): Partial<Assessment>[] {
  const { udp } = measurement;
  if (udp === null) return [];
  if (udp.treatment !== 'throttled') {
    const wrong = describePassingUdp(udp);
    return wrong === null ? [] : [{ wrong: `${wrong} ${remedy(measurement)}` }];
  }
  const { downKbps, upKbps } = condition;
  const udpKbps = udp.kbps ?? 0;
  const isTcpFree =
    !losesPackets(condition) && (downKbps === null || downKbps >= PATH_HAS_ROOM * udpKbps);
  return [
    assessDatagrams(measurement, condition, 'toClient', downKbps),
    assessDatagrams(measurement, condition, 'toServer', upKbps),
    ...(isTcpFree && udp.tcpKbps !== null && udp.tcpKbps < TCP_IS_FASTER * udpKbps
      ? [
          {
            wrong: `The network differs from its settings: only UDP should be throttled, to ${numberText(udpKbps)} kbit/s, but TCP's rate is ${numberText(udp.tcpKbps)} kbit/s. ${remedy(measurement)}`,
          },
        ]
      : []),
  ];
}

function describePassingUdp({
  treatment,
  toServer,
  toClient,
  refusal,
}: MeasuredTreatment): string | null {
  const arrived = toServer.packets + toClient.packets;
  if (arrived > 0) {
    const sent = toServer.sent + toClient.sent;
    return `The network differs from its settings: UDP should be ${treatment}, but ${arrived} of ${sent} datagrams arrived.`;
  }
  const expected = treatment === 'rejected' ? PROHIBITED : null;
  if (refusal === expected) return null;
  const errorName = (error: string | null) => error ?? 'nothing';
  return `The network differs from its settings: UDP should be ${treatment}, but the sender of a datagram received ${errorName(refusal)} instead of ${errorName(expected)}.`;
}

function assessDatagrams(
  measurement: Measurement,
  condition: SeededCondition,
  direction: 'toServer' | 'toClient',
  pathKbps: number | null,
): Partial<Assessment> {
  const { udp, requested } = measurement;
  if (udp === null || udp.kbps === null) return {};
  const { kbps: achieved, offeredKbps: offered } = udp[direction];
  const passing = (1 - requested.lossPercent / 100) * (1 - requested.burstLossPercent / 100);
  const to = direction === 'toServer' ? 'the servers' : 'the browser';
  return assessRate(measurement, condition, {
    direction: `of UDP towards ${to}`,
    target: Math.min(udp.kbps * passing, pathKbps ?? Number.POSITIVE_INFINITY),
    achieved,
    offered,
    // Pauses do not matter: the bucket fills meanwhile.
    pausedPercent: null,
  });
}
