import { execFileSync } from 'node:child_process';
import { UPLINK_DEVICE } from '../../network/uplink.ts';

const COMMANDS = [
  ['ip', '-br', 'link'],
  ['ip', '-br', 'address'],
  ['ip', 'route'],
  ['tc', 'qdisc'],
] as const;

/**
 * Devices, addresses, routes and queues of the machine itself, in which no path may leave a trace; but for the device of runs with servers
 * of their own, since a test beside this one may be making such a run.
 */
export function networkOfMachine(): string[] {
  return COMMANDS.flatMap(([program, ...args]) =>
    execFileSync(program, args, { encoding: 'utf8' }).split('\n'),
  ).filter((line) => !line.includes(UPLINK_DEVICE));
}
