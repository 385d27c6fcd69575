import type { DirectionCounts, UdpTreatment } from '../../ground/records/network.ts';
import { words } from '../addresses.ts';
import type { SeededCondition } from '../conditions.ts';
import { framedBytes, queueBytes } from '../queue.ts';
import { burstBytes } from '../udp.ts';

export type Direction = 'toServer' | 'toClient';

/** Devices of the middle namespace, named after the end that they lead to. */
export const MIDDLE_DEVICES: Record<Direction, string> = {
  toServer: 'toserver',
  toClient: 'toclient',
};

/** Upper bound of the packets that one machine sends. */
const MOST_PACKETS_PER_MS = 1000;
/** An acknowledgement without data is a little longer. */
const SHORTEST_PACKET_BYTES = 64;
/** Added to the longest packet: its Ethernet header, and room for the rounding of `tc`. */
const SPARE_ROOM_BYTES = 100;
/** A wake-up this late does not reduce the rate: the tokens of a full packet are kept meanwhile. */
const LATE_MS = 1;

/** Inputs of the commands in addition to the condition. */
interface QdiscOptions {
  seeded: boolean;
  longestPacketBytes: number;
}

/**
 * Commands for the treatment of one direction by the namespace between the ends.
 *
 * netem delays and loses packets, and passes them to the token bucket (tbf), which has the rate and the queue. At low
 * rates the bucket holds little more than one packet: a packet that finds it full saves its own transmission time,
 * the packets behind it do not.
 */
export function qdiscCommands(
  condition: SeededCondition,
  direction: Direction,
  { seeded, longestPacketBytes }: QdiscOptions,
): string[][] {
  const queue = queueBytes(condition, direction, longestPacketBytes);
  const netem = netemArguments(condition, direction, { seeded, queue });
  const device = MIDDLE_DEVICES[direction];
  const replace = ['tc', 'qdisc', 'replace', 'dev', device];
  const commands = [
    // Discards the old qdisc with its counts, its queue and its position in the random series.
    [...replace, 'root', 'noqueue'],
    [...replace, 'root', 'handle', '1:', ...netem],
  ];
  const rateKbps = direction === 'toClient' ? condition.downKbps : condition.upKbps;
  if (rateKbps === null) return commands;
  const bucket = tokenBucketArguments(rateKbps, queue, longestPacketBytes);
  return [...commands, [...replace, 'parent', '1:1', 'handle', '10:', ...bucket]];
}

function netemArguments(
  condition: SeededCondition,
  direction: Direction,
  { seeded, queue }: { seeded: boolean; queue: number },
): string[] {
  const { rttMs, jitterMs, seed } = condition;
  const loss = lossArguments(condition);
  return [
    ...words(`netem delay ${microseconds(rttMs / 2)}`),
    ...(jitterMs > 0 ? [microseconds(jitterMs)] : []),
    ...loss,
    ...words(`limit ${packetLimit(condition, queue)}`),
    ...(seeded && (loss.length > 0 || jitterMs > 0) ? ['seed', `${seedOf(seed, direction)}`] : []),
  ];
}

function lossArguments({ lossPercent, burstLoss }: SeededCondition): string[] {
  if (burstLoss) {
    // Loss in the bad state: all; in the good state: the loss outside of bursts.
    const { enterPercent, leavePercent } = burstLoss;
    return words(`loss gemodel ${enterPercent}% ${leavePercent}% 100% ${lossPercent}%`);
  }
  return lossPercent > 0 ? ['loss', `${lossPercent}%`] : [];
}

function tokenBucketArguments(
  rateKbps: number,
  queue: number,
  longestPacketBytes: number,
): string[] {
  const burst = longestPacketBytes + SPARE_ROOM_BYTES + Math.ceil((rateKbps / 8) * LATE_MS);
  return words(`tbf rate ${Math.round(rateKbps * 1000)}bit burst ${burst} limit ${queue}`);
}

/**
 * netem's limit counts packets, both delayed and queued ones. It exceeds the largest possible number,
 * so that only the queue drops packets.
 */
function packetLimit(condition: SeededCondition, queue: number): number {
  const onTheWay = (condition.rttMs / 2 + condition.jitterMs) * MOST_PACKETS_PER_MS;
  return Math.ceil(onTheWay + queue / SHORTEST_PACKET_BYTES);
}

/**
 * A seed of 32 bits for each direction. netem's generator starts in the state of the seed, so that small or similar
 * seeds would begin with small or similar numbers: they are hashed.
 */
function seedOf(seed: number, direction: Direction): number {
  let mixed = Math.imul(seed ^ (direction === 'toServer' ? 0x5bd1e995 : 0x27d4eb2f), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed ^= mixed >>> 13;
  return mixed >>> 0;
}

function microseconds(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}

/** Whether netem supports seeds: kernel and `tc` 6.6 or newer. Arguments: output of `uname -r` and `tc -V`. */
export function supportsSeed(kernelRelease: string, tcVersion: string): boolean {
  return [/^(\d+)\.(\d+)/.exec(kernelRelease), /iproute2-(\d+)\.(\d+)/.exec(tcVersion)].every(
    (version) => version && Number(version[1]) * 1000 + Number(version[2]) >= 6006,
  );
}

interface QdiscStatistics {
  kind: string;
  bytes: number;
  packets: number;
  drops: number;
}

/** Counts of one direction from `tc -json -statistics qdisc show dev ...`. */
export function readCounts(json: string, condition: SeededCondition): DirectionCounts {
  const qdiscs = JSON.parse(json) as QdiscStatistics[];
  const netem = qdiscs.find(({ kind }) => kind === 'netem');
  if (!netem) throw new Error(`expected a netem qdisc, got: ${json}`);
  const { packets, bytes, drops } = netem;
  const fromQueue = qdiscs.find(({ kind }) => kind === 'tbf')?.drops ?? 0;
  // netem's drops include those of the token bucket behind it.
  const ownDrops = drops - fromQueue;
  return condition.lossPercent > 0 || condition.burstLoss
    ? { packets, bytes, lost: ownDrops, queueDrops: fromQueue }
    : { packets, bytes, lost: 0, queueDrops: drops };
}

const UDP_NUMBER = 17;
const DNS_PORT = 53;
/** Bytes of a frame that the policer does not count at the ingress. */
const ETHERNET_HEADER_BYTES = framedBytes(0);

/** Device by which packets of a direction enter the middle. */
const INGRESS_DEVICES: Record<Direction, string> = {
  toServer: MIDDLE_DEVICES.toClient,
  toClient: MIDDLE_DEVICES.toServer,
};

/**
 * Commands for the treatment of UDP of one direction at the ingress of the middle, before netem. Rejected packets are
 * counted there; the middle, a router, sends the ICMP error when it routes them.
 */
export function treatmentCommands(
  udp: UdpTreatment,
  direction: Direction,
  longestPacketBytes: number,
): string[][] {
  const device = INGRESS_DEVICES[direction];
  const isUdp = `u32 match ip protocol ${UDP_NUMBER} 0xff`;
  const filter = (preference: number, what: string) =>
    words(`tc filter add dev ${device} parent ffff: protocol ip pref ${preference} ${what}`);
  return [
    words(`tc qdisc add dev ${device} ingress`),
    filter(1, `${isUdp} match ip sport ${DNS_PORT} 0xffff action ok`),
    filter(2, `${isUdp} match ip dport ${DNS_PORT} 0xffff action ok`),
    filter(3, `${isUdp} action ${actionOf(udp, longestPacketBytes)}`),
    ...(udp.treatment === 'rejected' ? rejectRules(device, direction, 'add') : []),
  ];
}

export function removeTreatmentCommands(udp: UdpTreatment, direction: Direction): string[][] {
  const device = INGRESS_DEVICES[direction];
  return [
    words(`tc qdisc delete dev ${device} ingress`),
    ...(udp.treatment === 'rejected' ? rejectRules(device, direction, 'delete') : []),
  ];
}

/** Command that prints the number of packets treated. */
export function droppedCommand(direction: Direction): string[] {
  return words(`tc -statistics filter show dev ${INGRESS_DEVICES[direction]} parent ffff: pref 3`);
}

export function readDropped(printed: string, { treatment }: UdpTreatment): number {
  const found = /Sent \d+ bytes (\d+) pkts? \(dropped \d+, overlimits (\d+)/.exec(printed);
  if (!found) throw new Error(`expected statistics of a filter, got: ${printed}`);
  return Number(treatment === 'throttled' ? found[2] : found[1]);
}

function actionOf(udp: UdpTreatment, longestPacketBytes: number): string {
  switch (udp.treatment) {
    case 'blocked':
      return 'drop';
    case 'rejected':
      return 'ok';
    case 'throttled':
      return [
        `police rate ${Math.round((udp.kbps ?? 0) * 1000)}bit burst ${burstBytes(udp, longestPacketBytes)}`,
        `mtu ${framedBytes(longestPacketBytes)} overhead ${ETHERNET_HEADER_BYTES} conform-exceed drop/ok`,
      ].join(' ');
  }
}

/** Rules of a router that passes DNS and prohibits all other UDP: positions 1 to 4, before the routing rules. */
function rejectRules(device: string, direction: Direction, what: 'add' | 'delete'): string[][] {
  const [passes, prohibits] = direction === 'toServer' ? [1, 2] : [3, 4];
  const port = direction === 'toServer' ? 'dport' : 'sport';
  const rule = (preference: number, then: string) =>
    words(`ip rule ${what} pref ${preference} iif ${device} ipproto udp ${then}`);
  return [rule(passes, `${port} ${DNS_PORT} lookup main`), rule(prohibits, 'prohibit')];
}
