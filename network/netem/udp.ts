import type { UdpTreatment } from '../../ground/records/network.ts';
import { words } from '../command.ts';
import { framedBytes } from '../queue.ts';
import { burstBytes } from '../udp.ts';
import { type Direction, MIDDLE_DEVICES } from './arguments.ts';

const UDP_NUMBER = 17;
const DNS_PORT = 53;
/** The bytes of a frame that the policer does not see by itself where packets come in. */
const ETHERNET_HEADER_BYTES = framedBytes(0);

/** The device by which the packets of a direction come into the middle. */
const COMES_IN_BY: Record<Direction, string> = {
  toServer: MIDDLE_DEVICES.toClient,
  toClient: MIDDLE_DEVICES.toServer,
};

/**
 * The commands that have the middle namespace treat UDP of one direction as asked: where its packets come in, before netem. What is rejected is
 * counted there, and the middle, which is a router, tells its sender when it is to be routed.
 */
export function treatmentCommands(
  udp: UdpTreatment,
  direction: Direction,
  longestPacketBytes: number,
): string[][] {
  const device = COMES_IN_BY[direction];
  const isUdp = `u32 match ip protocol ${UDP_NUMBER} 0xff`;
  const filter = (place: number, what: string) =>
    words(`tc filter add dev ${device} parent ffff: protocol ip pref ${place} ${what}`);
  return [
    words(`tc qdisc add dev ${device} ingress`),
    filter(1, `${isUdp} match ip sport ${DNS_PORT} 0xffff action ok`),
    filter(2, `${isUdp} match ip dport ${DNS_PORT} 0xffff action ok`),
    filter(3, `${isUdp} action ${actionOf(udp, longestPacketBytes)}`),
    ...(udp.treatment === 'rejected' ? refusals(device, direction, 'add') : []),
  ];
}

/** The commands that undo those. */
export function untreatmentCommands(udp: UdpTreatment, direction: Direction): string[][] {
  const device = COMES_IN_BY[direction];
  return [
    words(`tc qdisc delete dev ${device} ingress`),
    ...(udp.treatment === 'rejected' ? refusals(device, direction, 'delete') : []),
  ];
}

/** The command that tells how many packets a treatment has met. */
export function droppedCommand(direction: Direction): string[] {
  return words(`tc -statistics filter show dev ${COMES_IN_BY[direction]} parent ffff: pref 3`);
}

/** How many packets a treatment has dropped, by what that command prints. */
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

/** Rules of a router that passes DNS and prohibits all other UDP: places 1 to 4, before those that route. */
function refusals(device: string, direction: Direction, what: 'add' | 'delete'): string[][] {
  const [passes, prohibits] = direction === 'toServer' ? [1, 2] : [3, 4];
  const port = direction === 'toServer' ? 'dport' : 'sport';
  const rule = (place: number, then: string) =>
    words(`ip rule ${what} pref ${place} iif ${device} ipproto udp ${then}`);
  return [rule(passes, `${port} ${DNS_PORT} lookup main`), rule(prohibits, 'prohibit')];
}
