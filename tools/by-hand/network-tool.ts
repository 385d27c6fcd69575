import { complain } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';
import { NETWORK_COMMAND_OPTIONS } from './network-options.ts';

export const network: Tool = {
  summary: 'runs any command behind a path that was measured, and says what it was',
  operands: [
    {
      name: 'COMMAND',
      help: "a program and its arguments, at the client's end: what stands behind its first word is its own. SERVER_ADDRESS in its environment is the address of the other end. All of the machine is there but its networks: no name is known but those of /etc/hosts, and localhost is each end's own",
      needed: true,
      isCommand: true,
    },
  ],
  options: NETWORK_COMMAND_OPTIONS,
  examples: [
    [`--rtt 40 -- sh -c 'ping -c 10 "$SERVER_ADDRESS"'`, 'shows that round trips take 40 ms'],
    [
      `--rtt 30 --loss 1 --server 'python3 -m http.server' -- curl http://10.89.1.1:8000/`,
      'asks a server of your own, where one packet of a hundred is lost each way; 10.89.1.1 is the other end',
    ],
    ['--rtt 100 --down 10000 --server ./start -- bash', 'a shell at the end of the client'],
  ],
  statuses:
    'Exit status: that of COMMAND, or 128 and the number of the signal that ended it; the last lines on stderr say that it was run. Where it could not be run a message says why: 1 a bug, 2 wrong usage or no such COMMAND, 3 this machine lacks something, 4 the server ended before it listened, 5 the network is not what was asked for, or broke, 130 interrupted.',
  async run({ given, operands }) {
    const { networkCommand } = await import('./network.ts');
    const { lendSignals } = await import('../../runner/stop.ts');
    return networkCommand(operands, given, { complain, signals: lendSignals() });
  },
};
