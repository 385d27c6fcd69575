import { eachOnce, FLAG, names, severalOf, wholeNumber } from '../../ground/options/readers.ts';
import { type Line, optionGroup, ownChoiceLines, type Reader } from '../../ground/options/row.ts';
import { bytesOfSize } from '../../ground/options/sizes.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { TRANSFER_CHOICES } from './choices.ts';
import { PROFILES } from './profiles/profile.ts';
import { MOST_STREAMS, streamsName } from './records.ts';

/** Reads comma-separated sizes; removes duplicates. */
const sizes: Reader<string[]> = (option, given) => {
  const found = names(option, given);
  const wrong = found.find((size) => bytesOfSize(size) === null);
  if (wrong !== undefined) {
    throw new UsageError(
      `--${option} ${wrong}: expected sizes from 0B to 2GB with their unit (B, kB, MB, GB; 1 kB is 1000 bytes), separated by commas.`,
    );
  }
  return [...new Map(found.map((size) => [bytesOfSize(size), size])).values()];
};

/** Reads a window of at least one packet. */
const windowBytes: Reader<number> = (option, given) => {
  const bytes = bytesOfSize(given);
  if (bytes !== null && bytes >= BOUNDS.windowBytes[0]) return bytes;
  throw new UsageError(`--${option} ${given}: expected a size from 1kB to 2GB, for example 64kB.`);
};

/** Accepts numbers and values of the factor: `10` and `10-streams`. */
const streams: Reader<string[]> = eachOnce((option, given) =>
  names(option, given).map((each) =>
    streamsName(wholeNumber([1, MOST_STREAMS])(option, each.replace(/-streams?$/, ''))),
  ),
);

export const TRANSFER_OPTIONS = optionGroup('Transfers', 'plan', {
  size: {
    argument: 'a,b',
    help: 'sizes of the files, 0B to 2GB: 10kB,100kB,1MB (1 kB is 1000 bytes)',
    read: sizes,
    byDefault: ['10kB', '100kB', '1MB', '10MB'],
    lines: ({ subjects }) => [['Sizes', subjects.map(({ subject }) => subject).join(', ')]],
  },
  streams: {
    argument: 'a,b',
    help: `concurrent requests, 1 to ${MOST_STREAMS}, each for an equal part of the file: streams of one connection, or connections with HTTP/1.1`,
    read: streams,
    byDefault: [streamsName(1)],
    defaultText: '1',
    lines: ({ factors }) => (factors.streams ? [['Streams', factors.streams.join(', ')]] : []),
  },
  upload: {
    ...FLAG,
    help: 'the client sends the bytes in POST requests (default: the server sends them)',
    lines: ownChoiceLines(TRANSFER_CHOICES, ({ direction }) => [['Direction', direction]]),
  },
  'stream-window': {
    argument: 'SIZE',
    help: 'flow-control window of a stream at the client, for HTTP/2 and QUIC (default: that of the client)',
    read: windowBytes,
    lines: ownChoiceLines(TRANSFER_CHOICES, ({ streamWindowBytes }) =>
      windowLines('Window of a stream', streamWindowBytes),
    ),
  },
  'receive-window': {
    argument: 'SIZE',
    help: 'window of a connection at the client: set in the kernel for TCP, in the client for QUIC (default: theirs)',
    read: windowBytes,
    lines: ownChoiceLines(TRANSFER_CHOICES, ({ receiveWindowBytes }) =>
      windowLines('Window of a connection', receiveWindowBytes),
    ),
  },
  explain: {
    ...FLAG,
    help: 'repeats a transfer of each kind with its limit relaxed, and reports the change',
    lines: ownChoiceLines(TRANSFER_CHOICES, ({ explains }) =>
      explains ? [['Limits', 'relaxed once for each kind']] : [],
    ),
  },
  profile: {
    argument: PROFILES.join(),
    help: 'profiles client and server in an uncounted transfer of each kind: processor over time, system calls (strace), flame graphs (perf)',
    read: severalOf(...PROFILES),
    lines: ownChoiceLines(TRANSFER_CHOICES, ({ profiles = [] }) =>
      profiles.length > 0 ? [['Profiles', profiles.join(', ')]] : [],
    ),
  },
});

function windowLines(name: string, bytes: number | null): Line[] {
  return bytes === null ? [] : [[name, `${bytes.toLocaleString('en-US')} bytes`]];
}
