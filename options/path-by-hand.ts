import { UsageError } from '../system/exit-status.ts';
import { NETWORK_OPTIONS, NUMBERED } from './network.ts';
import type { OptionRow, Reader } from './row.ts';

// An attempt has a first packet and an n-th one; what a person does has neither.
const { lose: _, event: __, ...NETWORK } = NETWORK_OPTIONS;

/** One path, as a run would have it under one condition. */
export const PATH_BY_HAND_OPTIONS = {
  ...NETWORK,
  rtt: one(NETWORK.rtt, 'round-trip time to add in ms (default 0)'),
  trace: one(
    NETWORK.trace,
    "recorded link towards the client in place of a rate, in Mahimahi's format; needs the user-space path (default none)",
  ),
  'trace-up': one(NETWORK['trace-up'], 'the same towards the servers (default none)'),
  loss: one(NETWORK.loss, 'percent of packets lost in each direction (default 0)'),
  'queue-bdp': one(
    NETWORK['queue-bdp'],
    'how much may wait at a limited rate before packets are dropped, in multiples of the bandwidth-delay product of --rtt, 0.05 to 100 (default 1, of a round trip of at least 40 ms)',
  ),
  udp: one(
    NETWORK.udp,
    'what the path does to UDP alone, over which QUIC goes: passed, blocked (it vanishes), rejected (by ICMP), or a rate in kbit/s beyond which it is dropped (default passed)',
  ),
  network: {
    ...one(
      NETWORK.network,
      ({ networks }) =>
        `a named network in place of numbers: ${networks.join(', ')} (default: that of --rtt)`,
    ),
    conflicts: NUMBERED,
  },
  down: { ...NETWORK.down, help: 'rate towards the client in kbit/s (default no limit)' },
  up: { ...NETWORK.up, help: 'rate towards the servers in kbit/s (default no limit)' },
};

/** An option that a run can be given several values of, each for a condition. */
function one<T, Row extends Omit<OptionRow, 'read'> & { read: Reader<T[]> }>(
  row: Row,
  help: OptionRow['help'],
) {
  const read: Reader<T[]> = (option, given) => {
    const values = row.read(option, given);
    if (values.length === 1) return values;
    throw new UsageError(`--${option} ${given}: one path at a time. Give one value.`);
  };
  const { argument } = row;
  return { ...row, help, read, argument: argument?.split(',')[0] ?? null };
}
