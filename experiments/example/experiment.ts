import { type Experiment, TIME } from '../../ground/experiment.ts';
import * as s from '../../ground/records/schema.ts';

const detailsSchema = s.object(
  { drawn: s.number('What was drawn, 0 to 1.') },
  'Fields of draws alone.',
);

export type ExampleDetails = s.Static<typeof detailsSchema>;

/** Fictitious transfer in the drawn time. */
const DRAWN_BYTES = 100_000;

export function drawnKbps(drawnMs: number): number {
  return (8 * DRAWN_BYTES) / drawnMs;
}

/** Draws seeded numbers instead of measuring, so that results of the frame are predictable and take milliseconds. */
export const example: Experiment = {
  name: 'example',
  command: null,
  attempt: ['draw', 'draws'],
  subject: ['site', 'sites'],
  site: ['site', 'sites'],
  client: 'none',
  clientNoun: 'client',
  recordFile: 'draws.jsonl',
  details: detailsSchema,
  factors: {},
  metrics: [
    {
      ...TIME,
      name: 'drawnMs',
      word: 'drawn',
      column: 'drawn',
      label: 'Drawn time',
      phrase: 'drawn time',
      phrases: 'drawn times',
      inPhrase: '',
      definition: 'A number drawn from a uniform distribution around the mean of its arm.',
      source: 'the seed of the trial',
      missing: () => 'nothing was drawn',
    },
    {
      name: 'drawnKbps',
      word: 'drawn-rate',
      column: 'drawn_rate',
      label: 'Drawn rate',
      phrase: 'drawn rate',
      phrases: 'drawn rates',
      inPhrase: ' in drawn rate',
      unit: 'kbps',
      better: 'higher',
      words: ['faster', 'slower'],
      scale: 'ratio',
      failed: 'worst',
      definition: `${DRAWN_BYTES} bytes divided by the drawn time: the same draw as a metric of which more is better.`,
      source: 'the seed of the trial',
      missing: () => 'nothing was drawn',
    },
  ],
  readings: () => ({}),
};
