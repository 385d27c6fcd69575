import type { Spread } from '../../ground/records/calibration.ts';
import { losesPackets } from '../../ground/records/dimensions.ts';
import type { SeededCondition } from '../conditions.ts';
import type { Measurement } from './calibrate.ts';

/**
 * A path takes 0.1 to 0.6 ms itself, and the user-space link may begin up to 0.3 ms early. So the probes that had the
 * best of it stand between these, and those of a path that is 1 ms wrong, either way, do not. At long round trips
 * the share counts, where it is more.
 */
const SETTING_TOLERANCE = {
  minimum: { earlierMs: 0.5, laterMs: 0.8 },
  p25: { earlierMs: 0.3, laterMs: 0.9 },
  share: 0.01,
} as const;

/** So close together are the lower quartile and most of the rest when the machine is not late. */
const STEADY_MS = 0.5;

/** By so much, or by the share where it is more, probes may be late before the machine counts as late. */
const LATENESS_TOLERANCE = {
  median: { ms: 1, share: 0.05 },
  p99: { ms: 5, share: 0.1 },
} as const;

/**
 * A round trip with two delays evenly spread over +- J has a triangular density: a quarter lies below J (2 - sqrt 2) under
 * the middle. Quantile p of n probes has a standard error of sqrt(p (1 - p) / n) / density, which is J / sqrt(n) for
 * the median and 1.22 J / sqrt(n) for the lower quartile. Three and a half are left to a sound path: one in two
 * thousand is misjudged.
 */
const JITTER = {
  quartileEarlier: 2 - Math.SQRT2,
  quartileErrors: 3.5 * Math.sqrt(1.5),
  medianErrors: 3.5,
} as const;

/** From here on retransmissions reach the median of TCP's round trips. */
const LOSS_IN_TCP_MEDIAN_PERCENT = 5;

/** Bytes on the link of the prober's packets: headers of Ethernet, IP and UDP or TCP included. */
const PROBE_BYTES = { udpRequest: 55, udpAnswer: 63, tcp: 71 } as const;

/**
 * Tells a path that is wrong from a machine that is late. A late machine delays some probes and hastens
 * none: the fastest ones show what the path is set to, the median and the slowest ones how late the machine was.
 * - Wrong is a path whose fastest probe, or lower quartile, is earlier than asked, or whose fastest probe is
 *   later; or whose lower quartile is later although the probes agree, as they do not on a late machine.
 * - Late is a machine whose median (UDP and TCP) or p99 (UDP: over TCP one late packet holds up the next ones) is later than asked.
 * - A rate that is off is put down to the machine as far as the pauses between packets explain it, and else to the path.
 *   Packets that wait in a pause come after it, so the rate is lower at most by twice the share of the pauses
 *   (a queue that ran empty, and the line bent by it), and higher by three times its square (the line alone).
 *
 * Beyond the tolerances:
 * - a limited rate delays a probe by its own length, and a token bucket does not: up to so much more is allowed;
 * - jitter of J ms spreads round trips over +- 2 J, which moves and widens their quantiles; over TCP, where a late
 *   packet holds up the next ones, all may be 2 J later; a rate is widened by J / 150 ms;
 * - bursts of loss widen a rate by twice the share they take, since the queue may run empty in one;
 * - with more than 5 % of packets lost only the fastest TCP probe is judged.
 */
export function assessCalibration(
  measurement: Measurement,
  condition: SeededCondition,
): Assessment {
  const { jitterMs, downKbps, upKbps } = condition;
  const { udpRequest, udpAnswer, tcp } = PROBE_BYTES;
  const lossPercent = condition.lossPercent + measurement.asked.burstLossPercent;
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
      asked: downKbps,
      achieved: measurement.downKbps,
      offered: measurement.downOfferedKbps,
      pausedPercent: measurement.downPausedPercent,
    }),
    assessRate(measurement, condition, {
      direction: 'towards the servers',
      asked: upKbps,
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
  /** Allowed beside the tolerance that always holds. */
  laterMs: number;
  onlyMinimum: boolean;
  late: ('median' | 'p99')[];
}

/** What of the fastest probes is not as asked. */
function wrongRoundTrip(
  measurement: Measurement,
  { rttMs: asked, jitterMs }: SeededCondition,
  { protocol, measured, laterMs, onlyMinimum }: RoundTrips,
): string | null {
  const shareMs = SETTING_TOLERANCE.share * asked;
  const middles = { minimum: asked, p25: asked - JITTER.quartileEarlier * jitterMs };
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
      `The network is not what was asked for: ${numberText(asked)} ms of round trip were asked, ` +
      `${numberText(found)} ms were measured over ${protocol} ` +
      `(${NAMES[statistic]} of ${measured.count} probes of ${numberText(measured.minimum)} to ${numberText(measured.maximum)} ms; ` +
      `${numberText(Math.max(0, least))} to ${numberText(most)} ms would do). ${remedy(measurement)}`
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

/** By what the machine was late; null: it was not. */
function lateness(
  { rttMs: asked, jitterMs }: SeededCondition,
  { protocol, measured, laterMs }: RoundTrips,
  statistic: 'median' | 'p99',
): string | null {
  const tolerance = LATENESS_TOLERANCE[statistic];
  const jitteredMs =
    statistic === 'p99'
      ? 2 * jitterMs
      : (JITTER.medianErrors * jitterMs) / Math.sqrt(measured.count);
  const toleranceMs = Math.max(tolerance.ms, tolerance.share * asked);
  const most = asked + toleranceMs + jitteredMs + laterMs;
  const found = measured[statistic];
  return found <= most
    ? null
    : `a round trip over ${protocol} took ${numberText(found)} ms (${NAMES[statistic]} of ${measured.count}; at most ${numberText(most)} ms on a quiet machine)`;
}

/** How long a packet occupies a link of that rate; kbit/s is bit per ms. */
function onLinkMs(bytes: number, kbps: number | null): number {
  return kbps === null ? 0 : (bytes * 8) / kbps;
}

/** What a measurement says of the path and of the machine; each is null, or a text for users. */
interface Assessment {
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
function assessRate(
  measurement: Measurement,
  { jitterMs }: SeededCondition,
  { direction, asked, achieved, offered, pausedPercent }: RateCase,
): Partial<Assessment> {
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
      late: `${numberText(achieved ?? 0)} kbit/s ${direction} were measured where ${numberText(asked)} were asked, with ${numberText(100 * paused)} % of the time in pauses`,
    };
  }
  const measured =
    achieved === null
      ? 'too few packets arrived to tell'
      : `${numberText(achieved)} kbit/s were measured`;
  const isTooHigh = error !== null && error > 0;
  const wrong =
    `The network is not what was asked for: ${numberText(asked)} kbit/s ${direction} were asked, ${measured} ` +
    `(${numberText(offered ?? 0)} kbit/s were sent; ${numberText(100 * tolerance)} % more or less would do). ` +
    (!isTooHigh && offered !== null && offered < LEAST_OFFER * asked
      ? `This machine cannot send faster (${load(measurement)}): stop other programs, or ask for a lower rate.`
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

/** What Linux makes of ICMP "communication administratively prohibited". */
const PROHIBITED = 'EHOSTUNREACH';

/** TCP is given so many bytes that it comes through by so much faster than UDP may, slow start and all. */
const TCP_IS_FASTER = 1.2;

/** Where the path itself has so much more room than UDP, it does not hold TCP up. */
const PATH_HAS_ROOM = 4;

/**
 * Whether UDP gets through as far as was asked, and TCP farther: what is blocked or rejected does not arrive at all, who sends what is
 * rejected is told, and the rate of what is throttled is judged as any rate, by what the path leaves of it. TCP's rate is judged where neither
 * loss nor the path's own rate holds it up.
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
            wrong: `The network is not what was asked for: UDP alone was to be throttled, to ${numberText(udpKbps)} kbit/s, and TCP came at ${numberText(udp.tcpKbps)} kbit/s. ${remedy(measurement)}`,
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
    return `The network is not what was asked for: UDP was to be ${treatment}, and ${arrived} of ${sent} datagrams arrived.`;
  }
  const expected = treatment === 'rejected' ? PROHIBITED : null;
  if (refusal === expected) return null;
  const errorName = (error: string | null) => error ?? 'nothing';
  return `The network is not what was asked for: UDP was to be ${treatment}, and the sender of a datagram was told ${errorName(refusal)}, not ${errorName(expected)}.`;
}

function assessDatagrams(
  measurement: Measurement,
  condition: SeededCondition,
  direction: 'toServer' | 'toClient',
  pathKbps: number | null,
): Partial<Assessment> {
  const { udp, asked } = measurement;
  if (udp === null || udp.kbps === null) return {};
  const { kbps: achieved, offeredKbps: offered } = udp[direction];
  const passing = (1 - asked.lossPercent / 100) * (1 - asked.burstLossPercent / 100);
  const to = direction === 'toServer' ? 'the servers' : 'the browser';
  return assessRate(measurement, condition, {
    direction: `of UDP towards ${to}`,
    asked: Math.min(udp.kbps * passing, pathKbps ?? Number.POSITIVE_INFINITY),
    achieved,
    offered,
    // The bucket makes up for them: it fills meanwhile.
    pausedPercent: null,
  });
}
