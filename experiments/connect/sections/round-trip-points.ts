import { networkKeyWithout } from '../../../ground/records/network.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { HandshakeKind } from '../handshake-round-trips.ts';
import { type Condition, countedOf, handshakeKindOf, hostMedians } from './connections.ts';
import type { Instant } from './instants.ts';

export interface Point {
  rttMs: number;
  medianMs: number;
}

/** Conditions that differ in nothing but their delay, or one of live hosts, each of which has a round-trip time of its own. */
export interface RoundTripGroup {
  conditions: readonly Condition[];
  /** Whether the points are hosts, whose own TCP handshakes are their round-trip times; else they are conditions. */
  ofHosts: boolean;
  arms: readonly {
    arm: ShownArm;
    way: HandshakeKind;
    /** An arm without such an instant has none. */
    pointsOf(instant: Instant): Point[];
  }[];
}

/** What the times of a run can be held against, group by group. */
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
      const own = measured.map(({ rttMs, rttOfHost, connections }) => ({
        rttMs,
        rttOfHost,
        connections: connections.get(arm.arm) ?? [],
      }));
      const way = handshakeKindOf(own.flatMap(({ connections }) => connections));
      if (way === null) return [];
      const pointsOf = (instant: Instant) =>
        own.flatMap(({ rttMs, rttOfHost, connections }): Point[] => {
          const medians = hostMedians(connections, instant);
          if (ofHosts) {
            return [...medians].flatMap(([host, medianMs]) => {
              const ownRttMs = rttOfHost.get(host);
              return ownRttMs === undefined ? [] : [{ rttMs: ownRttMs, medianMs }];
            });
          }
          const medianMs = median([...medians.values()]);
          return medianMs === null || rttMs === null ? [] : [{ rttMs, medianMs }];
        });
      return [{ arm, way, pointsOf }];
    });
    return { conditions, ofHosts, arms };
  });
}

/** The connections of a condition by their arms, and its round-trip times: the path's own, and of each host the median of its TCP handshakes. */
function measuredIn(view: RunView, condition: Condition) {
  const connections = countedOf(view, condition);
  return {
    connections: Map.groupBy(connections, ({ arm }) => arm),
    rttMs: median(condition.rows.flatMap(({ network }) => network.measuredRttMs ?? [])),
    rttOfHost: hostMedians(connections, 'tcpMs'),
  };
}
