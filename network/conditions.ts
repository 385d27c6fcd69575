import { dimensionsOf } from '../ground/records/dimensions.ts';
import {
  limitKbps,
  type NetworkCondition,
  NOTHING_ADDED,
  withoutDisturbances,
} from '../ground/records/network.ts';

export interface SeededCondition extends NetworkCondition {
  /** Decides which packets are lost. */
  seed: number;
}

interface NamedCondition extends NetworkCondition {
  source: string;
}

export { NOTHING_ADDED } from '../ground/records/network.ts';

const DELAYED_30_MS = { ...NOTHING_ADDED, rttMs: 30 };

const WEBPAGETEST = 'connectivity profile of WebPageTest';

export const NAMED_CONDITIONS: readonly NamedCondition[] = [
  { ...NOTHING_ADDED, source: 'the path itself with nothing added' },
  {
    ...NOTHING_ADDED,
    name: '30ms',
    rttMs: 30,
    source: 'the delay of the comparison published in 2018 (15 ms each way)',
  },
  {
    ...NOTHING_ADDED,
    name: 'fiber',
    rttMs: 4,
    downKbps: 20_000,
    upKbps: 5_000,
    source: `${WEBPAGETEST} (FIOS)`,
  },
  { ...NOTHING_ADDED, name: 'dsl', rttMs: 50, downKbps: 1_500, upKbps: 384, source: WEBPAGETEST },
  {
    ...NOTHING_ADDED,
    name: 'cable',
    rttMs: 28,
    downKbps: 5_000,
    upKbps: 1_000,
    source: WEBPAGETEST,
  },
  {
    ...NOTHING_ADDED,
    name: 'lte',
    rttMs: 70,
    downKbps: 12_000,
    upKbps: 12_000,
    source: WEBPAGETEST,
  },
  { ...NOTHING_ADDED, name: '3g', rttMs: 300, downKbps: 1_600, upKbps: 768, source: WEBPAGETEST },
  {
    ...NOTHING_ADDED,
    name: 'satellite',
    rttMs: 600,
    downKbps: 10_000,
    upKbps: 2_000,
    source:
      'a geostationary hop: RFC 2488, section 2, gives 558 ms of propagation alone; the rates of a household terminal are this project’s choice',
  },
  {
    ...NOTHING_ADDED,
    name: 'lossy-wireless',
    rttMs: 40,
    downKbps: 20_000,
    upKbps: 10_000,
    jitterMs: 2,
    burstLoss: { enterPercent: 0.4, leavePercent: 33 },
    source:
      'this project’s choice: about 1.2 % of packets lost, three in a row on average, as at the edge of a wireless network; its jitter puts packets out of order, which many wireless networks do not',
  },
  {
    ...NOTHING_ADDED,
    name: 'wireless-bursts',
    rttMs: 40,
    downKbps: 20_000,
    upKbps: 10_000,
    burstLoss: { enterPercent: 0.4, leavePercent: 33 },
    source: 'lossy-wireless with all packets in order',
  },
  {
    ...NOTHING_ADDED,
    name: 'random-loss',
    rttMs: 200,
    lossPercent: 1,
    source: 'this project’s choice: 1 % of packets lost each by itself, at a long round trip',
  },
  {
    ...NOTHING_ADDED,
    name: 'burst-loss',
    rttMs: 200,
    burstLoss: { enterPercent: 0.33, leavePercent: 33 },
    source:
      'this project’s choice: as many packets lost as by random-loss, three in a row on average',
  },
  {
    ...DELAYED_30_MS,
    name: 'udp-blocked',
    udp: { treatment: 'blocked', kbps: null },
    source: 'a firewall that drops UDP without a word; 30 ms as above',
  },
  {
    ...DELAYED_30_MS,
    name: 'udp-rejected',
    udp: { treatment: 'rejected', kbps: null },
    source: 'a firewall that answers UDP with ICMP (administratively prohibited); 30 ms as above',
  },
  {
    ...DELAYED_30_MS,
    name: 'udp-throttled',
    udp: { treatment: 'throttled', kbps: 1_000 },
    source: 'a network that lets 1 Mbit/s of UDP pass, this project’s choice; 30 ms as above',
  },
];

/**
 * The condition under which the path is calibrated for this one: without disturbances, and with the mean rate of a recorded
 * link, which may pass any amount in the second of a calibration. The same programs carry both.
 */
export function measurableCondition(network: NetworkCondition): NetworkCondition {
  const { trace: _, traceUp: __, ...rest } = withoutDisturbances(network);
  return {
    ...rest,
    downKbps: limitKbps(network, 'toClient'),
    upKbps: limitKbps(network, 'toServer'),
  };
}

/** Name of a condition from its numbers; equal numbers have equal names. */
export function conditionName(numbers: Omit<NetworkCondition, 'name'>): string {
  const parts = dimensionsOf(numbers).map(({ row, value }) => row.name(value));
  return parts.length > 0 ? parts.join('-') : 'none';
}
