import type { Metric } from '../../ground/experiment.ts';

const CLIENT_CLOCK = "the clients' clocks, which are the machine's monotonic one";
const NOT_SHARED = 'a flow of the trial failed';

/** Common fields of metrics of the whole trial, of which neither direction is better. */
const OF_THE_TRIAL = {
  inPhrase: '',
  better: null,
  words: ['less', 'more'],
  scale: 'difference',
  failed: 'absent',
} as const;

/** Metrics of the flows of each arm; verdicts are about the first by default. */
export const SHARING_METRICS: readonly Metric[] = [
  {
    name: 'goodputKbps',
    word: 'goodput',
    column: 'goodput',
    label: 'Goodput of a flow',
    phrase: 'goodput of a flow',
    phrases: 'goodputs of flows',
    inPhrase: ' in goodput',
    unit: 'kbps',
    better: 'higher',
    words: ['faster', 'slower'],
    divided: true,
    scale: 'ratio',
    failed: 'worst',
    definition:
      'Bytes of bodies received in the counted time, divided by that time. It begins 1 s after the request for the last flow of the mix, or after a tenth of the duration if that is longer, and ends with the first flow. Mean over the flows of an arm.',
    source: CLIENT_CLOCK,
    missing: () => NOT_SHARED,
  },
  {
    ...OF_THE_TRIAL,
    name: 'fairSharePercent',
    word: 'fair-share',
    column: 'fair_share',
    label: 'Part of the fair share',
    phrase: 'part of the fair share',
    phrases: 'parts of the fair share',
    unit: 'percent',
    definition:
      'Goodput of a flow of the arm as a percentage of the mean over all flows of the mix: 100 if all are equal.',
    source: CLIENT_CLOCK,
    missing: () => NOT_SHARED,
  },
  {
    ...OF_THE_TRIAL,
    name: 'totalKbps',
    word: 'total',
    column: 'total',
    label: 'Goodput of all flows',
    phrase: 'goodput of all flows',
    phrases: 'goodputs of all flows',
    unit: 'kbps',
    definition:
      'Sum of the goodputs of all flows of the mix: the part of the bottleneck that carries bodies.',
    source: CLIENT_CLOCK,
    missing: () => NOT_SHARED,
  },
  {
    ...OF_THE_TRIAL,
    name: 'jainIndex',
    word: 'jain',
    column: 'jain',
    label: 'Jain’s index',
    phrase: 'Jain’s index',
    phrases: 'Jain’s indexes',
    unit: 'index',
    definition:
      'Jain’s fairness index of the goodputs of all n flows of the mix: 1 if all are equal, 1/n if one flow gets everything.',
    source: CLIENT_CLOCK,
    missing: () => NOT_SHARED,
  },
  {
    ...OF_THE_TRIAL,
    name: 'timeToFairMs',
    word: 'time-to-fair',
    column: 'time_to_fair',
    label: 'Time to a fair share',
    phrase: 'time to a fair share',
    phrases: 'times to a fair share',
    unit: 'ms',
    definition:
      'From the request for the last flow to the start of the first 5 s in which each flow of the mix got within 20 % of an equal part in every second.',
    source: CLIENT_CLOCK,
    missing: () => 'no such 5 s occurred',
  },
  {
    ...OF_THE_TRIAL,
    name: 'queueMs',
    word: 'queue',
    column: 'queue',
    label: 'Queue',
    phrase: 'delay in the queue',
    phrases: 'delays in the queue',
    unit: 'ms',
    definition:
      'Delay of the last packet in the bottleneck’s queue towards the client: median of the maxima of steps of 10 ms in the counted time.',
    source: 'the link, which counts queued bytes',
    missing: () => 'the path does not use the user-space link',
  },
  {
    ...OF_THE_TRIAL,
    name: 'rttMs',
    word: 'rtt',
    column: 'rtt',
    label: 'Round trip with its queue',
    phrase: 'round trip with its queue',
    phrases: 'round trips with their queue',
    unit: 'ms',
    definition:
      'Median of the senders’ smoothed round-trip times in the counted time; mean of the medians over the flows of an arm.',
    source: 'TCP: the kernel at the servers’ end, every 100 ms; QUIC: the server’s program',
    missing: () => 'the sender does not report it',
  },
  {
    ...OF_THE_TRIAL,
    name: 'retransmitted',
    word: 'retransmitted',
    column: 'retransmitted',
    label: 'Packets sent again',
    phrase: 'packets sent again',
    phrases: 'packets sent again',
    unit: 'count',
    definition:
      'Retransmitted packets of a flow, from its start to its end; mean over the flows of an arm.',
    source:
      'TCP: the kernel at the servers’ end; QUIC: the server’s program, which reports the packets that it declared lost',
    missing: () => 'the sender does not report it',
  },
];
