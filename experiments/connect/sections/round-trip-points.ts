import { networkKeyWithout } from '../../../ground/records/network.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { HandshakeKind } from '../handshake-round-trips.ts';
import { type Condition, countedOf, handshakeKindOf, hostMedians } from './connections.ts';
import type { Instant } from './instants.ts';

export interface Point {
  /** Network, or host. */
  name: string;
  rttMs: number;
  medianMs: number;
}

/** Conditions that differ only in their delay, or one condition of live hosts, whose round-trip times differ. */
export interface RoundTripGroup {
  conditions: readonly Condition[];
  /** Whether points are hosts, whose TCP handshakes are their round-trip times, instead of conditions. */
  ofHosts: boolean;
  arms: readonly {
    arm: ShownArm;
    handshake: HandshakeKind;
    /** Empty: the arm has no such instant. */
    pointsOf(instant: Instant): Point[];
  }[];
}

export function roundTripGroups(view: RunView): RoundTripGroup[] {
  const alike = Map.groupBy(view.conditions, ({ network, variant }) =>
    JSON.stringify([networkKeyWithout(network, 'rttMs'), variant]),
  );
  return [...alike.values()].map((conditions) => {
    const ofHosts = conditions.every(({ rows }) =>
      rows.every(({ network }) => network.measuredRttMs === null),
    );
    const measured = conditions.map((condition) => measuredIn(view, condition));
    const arms = view.arms.flatMap((arm) => {
      const own = measured.map(({ name, rttMs, rttOfHost, connections }) => ({
        name,
        rttMs,
        rttOfHost,
        connections: connections.get(arm.arm) ?? [],
      }));
      const handshake = handshakeKindOf(own.flatMap(({ connections }) => connections));
      if (handshake === null) return [];
      const pointsOf = (instant: Instant) =>
        own.flatMap(({ name, rttMs, rttOfHost, connections }): Point[] => {
          const medians = hostMedians(connections, instant);
          if (ofHosts) {
            return [...medians].flatMap(([host, medianMs]) => {
              const ownRttMs = rttOfHost.get(host);
              return ownRttMs === undefined ? [] : [{ name: host, rttMs: ownRttMs, medianMs }];
            });
          }
          const medianMs = median([...medians.values()]);
          return medianMs === null || rttMs === null ? [] : [{ name, rttMs, medianMs }];
        });
      return [{ arm, handshake, pointsOf }];
    });
    return { conditions, ofHosts, arms };
  });
}

/** Connections by arm, the path's round-trip time, and that of each host: the median of its TCP handshakes. */
function measuredIn(view: RunView, condition: Condition) {
  const connections = countedOf(view, condition);
  return {
    name: condition.network.name,
    connections: Map.groupBy(connections, ({ arm }) => arm),
    rttMs: median(condition.rows.flatMap(({ network }) => network.measuredRttMs ?? [])),
    rttOfHost: hostMedians(connections, 'tcpMs'),
  };
}
