import { execFileSync } from 'node:child_process';
import { UPLINK_DEVICE } from '../../network/uplink.ts';

/**
 * Devices, addresses, routes and queues of the machine itself, in which no run may leave a trace.
 * Excluded is the device of runs with existing servers, which another test may have made or removed
 * meanwhile.
 */
export function networkOfMachine(): string {
  const commands = [
    ['ip', '-br', 'link'],
    ['ip', '-br', 'address'],
    ['ip', 'route'],
    ['tc', 'qdisc'],
  ] as const;
  return commands
    .flatMap(([program, ...args]) => execFileSync(program, args, { encoding: 'utf8' }).split('\n'))
    .filter((line) => !line.split(/[\s@]/).includes(UPLINK_DEVICE))
    .join('\n');
}
