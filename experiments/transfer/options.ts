import { eachOnce, FLAG, names, severalOf, wholeNumber } from '../../ground/options/readers.ts';
import { type Line, optionGroup, ownChoiceLines, type Reader } from '../../ground/options/row.ts';
import { bytesOfSize } from '../../ground/options/sizes.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { TRANSFER_CHOICES } from './choices.ts';
import { PROFILES } from './profiles/profile.ts';
import { MOST_STREAMS, streamsName } from './records.ts';

/** Sizes with commas between, each once by its bytes. */
const sizes: Reader<string[]> = (option, given) => {
  const found = names(option, given);
  const wrong = found.find((size) => bytesOfSize(size) === null);
  if (wrong !== undefined) {
    throw new UsageError(
      `--${option} ${wrong}: expected sizes from 0B to 2GB with their unit (B, kB, MB, GB; 1 kB is 1000 bytes), with commas between.`,
    );
  }
  return [...new Map(found.map((size) => [bytesOfSize(size), size])).values()];
};

/** A size of at least one packet. */
const windowBytes: Reader<number> = (option, given) => {
  const bytes = bytesOfSize(given);
  if (bytes !== null && bytes >= BOUNDS.windowBytes[0]) return bytes;
  throw new UsageError(`--${option} ${given}: expected a size from 1kB to 2GB, for example 64kB.`);
};

/** Numbers of streams, as values of the factor, whose own names are taken too: `10` and `10-streams`. */
const streams: Reader<string[]> = eachOnce((option, given) =>
  names(option, given).map((each) =>
    streamsName(wholeNumber([1, MOST_STREAMS])(option, each.replace(/-streams?$/, ''))),
  ),
);

/** What only transfers have. */
export const TRANSFER_OPTIONS = optionGroup('What is transferred', 'plan', {
  size: {
    argument: 'a,b',
    help: 'sizes of the files, 0B to 2GB: 10kB,100kB,1MB (1 kB is 1000 bytes)',
    read: sizes,
    byDefault: ['10kB', '100kB', '1MB', '10MB'],
    said: ({ subjects }) => [['Sizes', subjects.map(({ subject }) => subject).join(', ')]],
  },
  streams: {
    argument: 'a,b',
    help: `requests at once, 1 to ${MOST_STREAMS}, each for an equal part of the file: streams of one connection; by HTTP/1.1 a connection each`,
    read: streams,
    byDefault: [streamsName(1)],
    defaultText: '1',
    said: ({ factors }) => (factors.streams ? [['Streams', factors.streams.join(', ')]] : []),
  },
  upload: {
    ...FLAG,
    help: 'the client sends the bytes, by POST (default: the server does)',
    said: ownChoiceLines(TRANSFER_CHOICES, ({ direction }) => [['Direction', direction]]),
  },
  'stream-window': {
    argument: 'SIZE',
    help: 'how much may be on its way on a stream before the client has read it, by HTTP/2 and QUIC (default: what the client has)',
    read: windowBytes,
    said: ownChoiceLines(TRANSFER_CHOICES, ({ streamWindowBytes }) =>
      windowLines('Window of a stream', streamWindowBytes),
    ),
  },
  'receive-window': {
    argument: 'SIZE',
    help: 'the same for a connection: of TCP by the kernel at the client, of QUIC by the client (default: what they have)',
    read: windowBytes,
    said: ownChoiceLines(TRANSFER_CHOICES, ({ receiveWindowBytes }) =>
      windowLines('Window of a connection', receiveWindowBytes),
    ),
  },
  explain: {
    ...FLAG,
    help: 'repeats a transfer of each kind with its limit raised, and says what changed',
    said: ownChoiceLines(TRANSFER_CHOICES, ({ explains }) =>
      explains ? [['Limits', 'raised once for each kind']] : [],
    ),
  },
  profile: {
    argument: PROFILES.join(),
    help: 'looks at client and server in one more transfer of each kind that does not count: processor over time, system calls (strace), flame graphs (perf)',
    read: severalOf(...PROFILES),
    said: ownChoiceLines(TRANSFER_CHOICES, ({ profiles = [] }) =>
      profiles.length > 0 ? [['Profiles', profiles.join(', ')]] : [],
    ),
  },
});

function windowLines(name: string, bytes: number | null): Line[] {
  return bytes === null ? [] : [[name, `${bytes.toLocaleString('en-US')} bytes`]];
}
