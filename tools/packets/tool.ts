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
    help: 'key log (SSLKEYLOGFILE) for a capture that has no keys inside',
    read: text,
  },
  csv: {
    argument: 'DIR',
    help: 'writes packets.csv and wire-connections.csv of a capture there; a run has them in its folder',
    read: text,
  },
  flow: {
    argument: 'FILE',
    help: 'draws the captures beside each other into this HTML file: who sent what when, and bytes over time; a run has such pages in its folder',
    read: text,
  },
  qlog: {
    argument: 'DIR',
    help: 'writes a qlog of each QUIC connection there, for qvis',
    read: text,
  },
  json: {
    ...FLAG,
    help: 'prints what the capture tells as JSON, one line for each capture',
  },
});

export const packets: Tool = {
  summary:
    'says what captured packets tell: handshakes, round trips, losses, and where the bytes went',
  operands: [
    {
      name: 'CAPTURE|LOAD|DIR',
      help: 'a pcapng or pcap file, whoever made it; the id of an attempt of results/latest; or the folder of a run made with --packets (default results/latest)',
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
    const surroundings = { latest: latestRun, print, complain, signal: stopNowOnSignals() };
    await packetsCommand(operands, valuesOf(PACKETS_OPTIONS, given), surroundings);
    return EXIT.ok;
  },
};
