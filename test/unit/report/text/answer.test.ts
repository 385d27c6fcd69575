import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StackProperty } from '../../../../ground/records/stack-readings.ts';
import { approve } from '../../approve.ts';
import { estimate, sentenceOf } from './answer-sentence.ts';

type Case = Parameters<typeof sentenceOf>;

const slower = estimate(1.2, 1.1, 1.3);
const same = { ratio: estimate(1, 0.98, 1.03) };
const differIn = (differing: StackProperty[], unknown: StackProperty[]): Case => [
  'faster',
  { transports: { differing, unknown } },
];
const NO_DIFFERENCES = { differing: [], unknown: [] };
const few = { ratio: estimate(0.9, null, null) };
const failing = { ratio: null, difference: null, nFailed: { arm: 20, baseline: 2 } };

/** Answers that are approved together, by the name of their file. */
const CASES: readonly [test: string, name: string, cases: readonly Case[]][] = [
  [
    'states a difference in percent and in what visitors save, or lose',
    'difference',
    [['faster'], ['slower', { nSites: 1, ratio: slower, difference: estimate(3.25, 1.04, 12.6) }]],
  ],
  [
    'shows an interval in ms on either side, and omits it where failures leave none',
    'ms',
    // In the third, pages differ in ms in the opposite direction from percent.
    [estimate(20, -5, 45), estimate(20, 5, null), estimate(-20, -30, -10), null].map(
      (difference) => ['slower', { ratio: slower, difference }],
    ),
  ],
  [
    'states the margin of a same verdict, and that one server program is one',
    'same',
    [
      ['same', same],
      ['same', { ...same, transports: NO_DIFFERENCES }],
    ],
  ],
  [
    'names differences between transports of one server program, and unknown ones',
    'transports',
    [
      differIn(['windowGrowth', 'pacing', 'responseOrder'], []),
      differIn(['pacing'], ['windowGrowth', 'responseOrder']),
    ],
  ],
  [
    'states the possible range of an undecided answer, and how many repetitions would decide it',
    'undecided',
    [
      // The reach, 0.1, has to halve: four times 12 repetitions, 36 more.
      [
        'undecided',
        {
          ratio: estimate(Math.exp(0.05), Math.exp(-0.05), Math.exp(0.15)),
          difference: estimate(5, -5, 15),
        },
      ],
      ['undecided', { ratio: estimate(1.026, 0.4, 2.6) }],
      ['undecided', { ratio: estimate(0.89, 0.76, 1.002) }],
    ],
  ],
  [
    'states which limit an interval has, and promises nothing',
    'one-limit',
    [
      [
        'undecided',
        {
          ratio: estimate(1.02, 0.97, null),
          difference: estimate(2, -3, null),
          nFailed: { arm: 2, baseline: 0 },
        },
      ],
      ['slower', { ratio: estimate(1.2, 1.1, null), difference: null }],
    ],
  ],
  [
    'reports too few pairs, with one in the singular, and none',
    'too-few',
    [
      ['undecided', { ...few, nPairs: 5 }],
      ['undecided', { ...few, nPairs: 1 }],
      ['undecided', { ...few, ratio: null, nPairs: 0, nSites: 1 }],
    ],
  ],
  [
    'gives failures without a ratio, or a limit, as the reason, and possibly as the answer',
    'failures',
    [
      ['slower', failing],
      ['faster', failing],
      ['undecided', failing],
      ['undecided', { ...failing, ratio: estimate(1, null, null) }],
    ],
  ],
];

for (const [name, snapshot, cases] of CASES) {
  test(name, (t) => {
    const sentences = cases.map((each) => sentenceOf(...each));
    for (const sentence of sentences) assert.doesNotMatch(sentence, /null|undefined|NaN/);
    approve(t, snapshot, sentences);
  });
}
