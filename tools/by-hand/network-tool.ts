import { complain } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';
import { NETWORK_COMMAND_OPTIONS } from './network-options.ts';

export const network: Tool = {
  summary: 'runs any command behind a measured path, and reports the measurements',
  operands: [
    {
      name: 'COMMAND',
      help: "a program and its arguments, run in the client's namespace: all words after the first belong to it. SERVER_ADDRESS in its environment is the address of the other end. Both ends have the machine's files, but not its networks: only names in /etc/hosts resolve, and each end has its own localhost",
      needed: true,
      isCommand: true,
    },
  ],
  options: NETWORK_COMMAND_OPTIONS,
  examples: [
    [`--rtt 40 -- sh -c 'ping -c 10 "$SERVER_ADDRESS"'`, 'shows that round trips take 40 ms'],
    [
      `--rtt 30 --loss 1 --server 'python3 -m http.server' -- curl http://198.18.1.1:8000/`,
      'requests a file from your own server, with one of a hundred packets lost in each direction; 198.18.1.1 is the other end',
    ],
    ['--rtt 100 --down 10000 --server ./start -- bash', 'a shell at the client’s end'],
  ],
  statuses:
    'Exit status: that of COMMAND, or 128 plus the number of the signal that ended it; the last lines on stderr confirm that it ran. If it could not run, a message says why: 1 a bug, 2 wrong usage or no such COMMAND, 3 this machine lacks something, 4 the server ended before it listened, 5 the path does not match the options, or broke, 130 interrupted.',
  async run({ given, operands }) {
    const { networkCommand } = await import('./network.ts');
    const { lendSignals } = await import('../../runner/stop.ts');
    return networkCommand(operands, given, { complain, signals: lendSignals() });
  },
};
