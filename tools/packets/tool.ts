import { GROUP, usageStatuses } from '../../ground/options/command.ts';
import { FLAG, text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { complain, print } from '../../ground/system/printed.mjs';
import { latestRun } from '../../runner/latest-run.ts';
import type { Tool } from '../tool.ts';

const PACKETS_OPTIONS = optionGroup(GROUP, 'invocation', {
  keys: {
    argument: 'FILE',
    help: 'key log (SSLKEYLOGFILE) for captures without keys',
    read: text,
  },
  csv: {
    argument: 'DIR',
    help: 'writes packets.csv and wire-connections.csv of a capture there; a run has them in its folder',
    read: text,
  },
  flow: {
    argument: 'FILE',
    help: 'draws the captures side by side into this HTML file: packets in both directions, and bytes over time; a run has such pages in its folder',
    read: text,
  },
  qlog: {
    argument: 'DIR',
    help: 'writes a qlog of each QUIC connection there, for qvis',
    read: text,
  },
  json: {
    ...FLAG,
    help: 'prints the results as JSON, one line per capture',
  },
});

export const packets: Tool = {
  summary: 'analyses captured packets: handshakes, round trips, losses, and bytes by purpose',
  operands: [
    {
      name: 'CAPTURE|LOAD|DIR',
      help: 'any pcapng or pcap file; the id of an attempt of results/latest; or the folder of a run made with --packets (default results/latest)',
      many: true,
    },
  ],
  options: PACKETS_OPTIONS,
  examples: [
    ['', 'all captures of the latest run'],
    ['trace.pcapng --keys keys.log', 'a capture made elsewhere, by Wireshark or tcpdump'],
    ['h3.pcapng h2.pcapng --flow flow.html', 'two captures drawn on one time axis'],
  ],
  statuses: `${usageStatuses('a file that is no capture').slice(0, -1)}; there is no tshark.`,
  async run({ given, operands }) {
    const { packetsCommand } = await import('./command.ts');
    const { stopNowOnSignals } = await import('../../runner/stop.ts');
    const dependencies = { latest: latestRun, print, complain, signal: stopNowOnSignals() };
    await packetsCommand(operands, valuesOf(PACKETS_OPTIONS, given), dependencies);
    return EXIT.ok;
  },
};
