import { losesPackets } from '../../ground/records/dimensions.ts';
import type { NetworkCondition } from '../conditions.ts';
import type { Measurement } from './calibrate.ts';
import { rateVerdict, remedy, shown, type Verdict } from './verdict.ts';

type SeenTreatment = NonNullable<Measurement['udp']>;

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
export function judgeTreatment(
  measurement: Measurement,
  condition: NetworkCondition,
): Partial<Verdict>[] {
  const { udp } = measurement;
  if (udp === null) return [];
  if (udp.treatment !== 'throttled') {
    const wrong = wrongStop(udp);
    return wrong === null ? [] : [{ wrong: `${wrong} ${remedy(measurement)}` }];
  }
  const { downKbps, upKbps } = condition;
  const udpKbps = udp.kbps ?? 0;
  const isTcpFree =
    !losesPackets(condition) && (downKbps === null || downKbps >= PATH_HAS_ROOM * udpKbps);
  return [
    datagramsVerdict(measurement, condition, 'toClient', downKbps),
    datagramsVerdict(measurement, condition, 'toServer', upKbps),
    ...(isTcpFree && udp.tcpKbps !== null && udp.tcpKbps < TCP_IS_FASTER * udpKbps
      ? [
          {
            wrong: `The network is not what was asked for: UDP alone was to be throttled, to ${shown(udpKbps)} kbit/s, and TCP came at ${shown(udp.tcpKbps)} kbit/s. ${remedy(measurement)}`,
          },
        ]
      : []),
  ];
}

function wrongStop({ treatment, toServer, toClient, refusal }: SeenTreatment): string | null {
  const arrived = toServer.packets + toClient.packets;
  if (arrived > 0) {
    const sent = toServer.sent + toClient.sent;
    return `The network is not what was asked for: UDP was to be ${treatment}, and ${arrived} of ${sent} datagrams arrived.`;
  }
  const expected = treatment === 'rejected' ? PROHIBITED : null;
  if (refusal === expected) return null;
  const told = (error: string | null) => error ?? 'nothing';
  return `The network is not what was asked for: UDP was to be ${treatment}, and the sender of a datagram was told ${told(refusal)}, not ${told(expected)}.`;
}

function datagramsVerdict(
  measurement: Measurement,
  condition: NetworkCondition,
  direction: 'toServer' | 'toClient',
  pathKbps: number | null,
): Partial<Verdict> {
  const { udp, asked } = measurement;
  if (udp === null || udp.kbps === null) return {};
  const { kbps: achieved, offeredKbps: offered } = udp[direction];
  const passing = (1 - asked.lossPercent / 100) * (1 - asked.burstLossPercent / 100);
  const to = direction === 'toServer' ? 'the servers' : 'the browser';
  return rateVerdict(measurement, condition, {
    direction: `of UDP towards ${to}`,
    asked: Math.min(udp.kbps * passing, pathKbps ?? Number.POSITIVE_INFINITY),
    achieved,
    offered,
    // The bucket makes up for them: it fills meanwhile.
    pausedPercent: null,
  });
}
