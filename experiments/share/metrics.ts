import type { Metric } from '../../ground/experiment.ts';

const CLIENT_CLOCK = "the clients' clocks, which are the machine's monotonic one";
const NOT_SHARED = 'one of the flows of the trial came to no end';

/** Of the whole trial, the same for all of its arms: no arm is better by it. */
const OF_THE_TRIAL = {
  inPhrase: '',
  better: null,
  words: ['less', 'more'],
  scale: 'difference',
  failed: 'absent',
} as const;

/** What is taken of the flows of each arm; verdicts are about the first unless another one is asked for. */
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
      'Bytes of bodies that arrived in the counted time, by that time: from 1 s after the last flow of the mix was asked for, or a tenth of the time in which all flows are let if that is longer, until the first flow ended. Of several flows of an arm, their mean.',
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
      'Goodput of a flow of the arm as a part of the mean of all flows of the mix: 100 where all get the same.',
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
      'Goodput of all flows of the mix together: what of the bottleneck is left for bodies.',
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
      'Jain’s fairness index of the goodputs of all flows of the mix: 1 where all get the same, one by their number where one gets everything.',
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
      'From when the last flow was asked for to the first moment from which on, for 5 s, what each flow of the mix got in every second was within 20 % of an equal part.',
    source: CLIENT_CLOCK,
    missing: () => 'shares never were so near to each other for so long',
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
      'How long the last packet in the bottleneck’s queue towards the client waited: median over steps of 10 ms of the counted time, of each the most.',
    source: 'the link, which counts the bytes that wait',
    missing: () => 'the path is not the user-space link’s',
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
      'Median of the senders’ smoothed round-trip times in the counted time; of several flows of an arm, the mean of their medians.',
    source: 'of TCP the kernel at the servers’ end, every 100 ms; of QUIC the server’s program',
    missing: () => 'the sender does not tell',
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
      'Packets that the senders sent again from their beginning to the end; of several flows of an arm, their mean.',
    source:
      'of TCP the kernel at the servers’ end; of QUIC the server’s program, which tells those that it took for lost',
    missing: () => 'the sender does not tell',
  },
];
