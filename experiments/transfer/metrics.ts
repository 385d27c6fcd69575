import { type Metric, TIME } from '../../ground/experiment.ts';

const CLIENT_CLOCK = "the client's own clock; in Chromium, the page's";
const NOT_TRANSFERRED = 'the transfer did not complete';

/** Metrics of transfers; the first is the default main metric. */
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
      'From the request for the transfer, without a connection, to the last byte of the body at the client; for an upload, to the last response of the server.',
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
      'Bytes of the body divided by their time: from the earliest possible first byte (a round trip of the path after the client may send) to the last byte, or to the last response for an upload. This is the part of the path’s rate that the body gets.',
    source: CLIENT_CLOCK,
    missing: () => 'the body was empty or arrived at once, or the transfer did not complete',
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
      'From the request for the transfer until the client has the keys to send a request over its first connection; in Chromium, connectEnd of the page.',
    source: CLIENT_CLOCK,
    missing: () => 'no connection was made, or the client does not report it',
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
      'From the request for the transfer to the first byte of the body at the client; for an upload, to the first byte written to the connection (in Chromium, to requestStart of the page).',
    source: CLIENT_CLOCK,
    missing: () => NOT_TRANSFERRED,
  },
  cpu('client', 'Processor time of the client, all its threads and processes.'),
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
    definition:
      'Processor time of client and server together, divided by the received bytes of the body.',
    source: 'the kernel, for all processes of both',
    missing: () => 'the file is empty, or the processor time is unknown',
  },
  counted(
    'contextSwitches',
    'context switches',
    'Number of times that a thread of client or server was scheduled on a core.',
    'the kernel, for all threads of both',
    'not reported by the kernel',
  ),
  counted(
    'packets',
    'packets',
    'Packets of the transfer on the path, in both directions.',
    'the path',
    'the path does not count',
  ),
  counted(
    'lostPackets',
    'lost packets',
    'Packets that the path lost or its full queue dropped, in both directions.',
    'the path',
    'the path does not count',
  ),
  counted(
    'retransmittedPackets',
    'retransmitted packets',
    'TCP: segments that were sent again. QUIC: packets that were declared lost, whose content is sent again in new packets.',
    'the transport of the sender',
    'not reported by the sender',
  ),
];

/** A descriptive count without a better direction. */
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
    missing: () => 'the process ended before it was read',
  };
}
