import { type Metric, TIME } from '../../ground/experiment.ts';

const CLIENT_CLOCK = "the client's own clock, of Chromium its page's";
const NOT_TRANSFERRED = 'the transfer did not come to its end';

/** What is taken of each transfer; verdicts are about the first unless another one is asked for. */
export const TRANSFER_METRICS: readonly Metric[] = [
  {
    ...TIME,
    name: 'totalMs',
    word: 'total',
    column: 'total',
    label: 'Total time',
    phrase: 'total time',
    phrases: 'total times',
    inPhrase: '',
    definition:
      'From asking for the transfer, with no connection yet, to the last byte of the body at the client; of an upload, to the last answer of the server.',
    source: CLIENT_CLOCK,
    missing: () => NOT_TRANSFERRED,
  },
  {
    name: 'goodputKbps',
    word: 'goodput',
    column: 'goodput',
    label: 'Goodput',
    phrase: 'goodput',
    phrases: 'goodputs',
    inPhrase: ' in goodput',
    unit: 'kbps',
    better: 'higher',
    words: ['faster', 'slower'],
    scale: 'ratio',
    failed: 'worst',
    definition:
      'Bytes of the body by the time that they took, from the moment when the first of them could be there (a round trip of the path after the client may send) to the last byte; of an upload, to the last answer: what of the rate of the path is left for the body.',
    source: CLIENT_CLOCK,
    missing: () => 'the body was empty or came at once, or the transfer did not come to its end',
  },
  {
    ...TIME,
    name: 'connectMs',
    word: 'connect',
    column: 'connect',
    label: 'Connection time',
    phrase: 'connection time',
    phrases: 'connection times',
    inPhrase: ' in connection time',
    definition:
      'From asking for the transfer to the moment when the client has the keys to send a request over the first of its connections; of Chromium as its pages are told (connectEnd).',
    source: CLIENT_CLOCK,
    missing: () => 'no connection was made, or the client does not tell',
  },
  {
    ...TIME,
    name: 'firstByteMs',
    word: 'first-byte',
    column: 'first_byte',
    label: 'First byte',
    phrase: 'time until the first byte',
    phrases: 'times until the first byte',
    inPhrase: ' until the first byte',
    definition:
      'From asking for the transfer to the first byte of the body at the client; of an upload, to the first byte handed to the connection, of Chromium to the beginning of its request (requestStart).',
    source: CLIENT_CLOCK,
    missing: () => NOT_TRANSFERRED,
  },
  cpu('client', 'Processor time of the program that asks, all its threads and processes.'),
  cpu('server', 'Processor time of the server, all its threads.'),
  {
    name: 'cpuNsPerByte',
    word: 'cpu-per-byte',
    column: 'cpu',
    label: 'Processor time per byte',
    phrase: 'processor time per byte',
    phrases: 'processor times per byte',
    inPhrase: ' in processor time per byte',
    unit: 'nsPerByte',
    better: 'lower',
    words: ['cheaper', 'costlier'],
    scale: 'ratio',
    failed: 'worst',
    definition: 'Processor time of client and server together, by the bytes of the body that came.',
    source: 'the kernel, for all processes of both',
    missing: () => 'the file is empty, or the processor time is not known',
  },
  counted(
    'contextSwitches',
    'context switches',
    'How often a thread of client or server got a core.',
    'the kernel, for all threads of both',
    'the kernel does not tell',
  ),
  counted(
    'packets',
    'packets',
    'Packets that the path carried for the transfer, both ways.',
    'the path',
    'the path does not count',
  ),
  counted(
    'lostPackets',
    'lost packets',
    'Packets that the path lost or a full queue of it dropped, both ways.',
    'the path',
    'the path does not count',
  ),
  counted(
    'retransmittedPackets',
    'retransmitted packets',
    'By TCP segments that were sent again; by QUIC packets that were taken for lost, whose content is sent again in others.',
    'the transport of the end that sends',
    'the end that sends does not tell',
  ),
];

/** A number that says what happened, and of which neither more nor less is better. */
function counted(
  name: string,
  phrases: string,
  definition: string,
  source: string,
  missing: string,
): Metric {
  const words = phrases.replaceAll(' ', '-');
  return {
    name,
    word: words,
    column: phrases.replaceAll(' ', '_'),
    label: `${phrases.charAt(0).toUpperCase()}${phrases.slice(1)}`,
    phrase: `number of ${phrases}`,
    phrases: `numbers of ${phrases}`,
    inPhrase: ` in ${phrases}`,
    unit: 'count',
    better: null,
    words: ['fewer', 'more'],
    scale: 'difference',
    failed: 'absent',
    definition,
    source,
    missing: () => missing,
  };
}

function cpu(whose: 'client' | 'server', definition: string): Metric {
  return {
    name: `${whose}CpuMs`,
    word: `${whose}-cpu`,
    column: `${whose}_cpu`,
    label: `Processor time of the ${whose}`,
    phrase: `processor time of the ${whose}`,
    phrases: `processor times of the ${whose}`,
    inPhrase: ` in processor time of the ${whose}`,
    unit: 'ms',
    better: 'lower',
    words: ['cheaper', 'costlier'],
    scale: 'ratio',
    failed: 'worst',
    definition,
    source: 'the kernel, from the beginning of the transfer to its end',
    missing: () => 'it ended before it could be read',
  };
}
