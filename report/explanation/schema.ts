import { explanationSchema } from '../../ground/records/explanation.ts';
import * as s from '../../ground/records/schema.ts';
import { estimateSchema } from '../../kit/text/estimate.ts';
import { condition, stacks } from '../summary/fields.ts';

const gain = (description: string) => s.orNull(s.withDescription(estimateSchema, description));

const about = {
  name: s.name('Name of the setting.'),
  label: s.text('The setting in words.'),
  nBlocks: s.count('Blocks in which all of its loads are ok.'),
};

const partSchema = s.object(
  {
    ...about,
    phrase: s.text('The part within a sentence.'),
    change: s.text('What was changed, as a sentence.'),
    part: gain('What the gain loses by this change after those before it; null: see missing.'),
    alone: gain('What the gain loses by this change alone.'),
    interaction: gain('part - alone; null: it is the first change, or one of the two is missing.'),
    reverse: gain('What the gain loses when the other stack is changed instead.'),
    reverseReason: s.optional(s.text('Why the other stack cannot be changed, as a clause.')),
    missing: s.optional(s.text('Why there is no part, as a sentence. The next part contains it.')),
  },
  'A part of a gain.',
);

export type ExplainedPart = s.Static<typeof partSchema>;

export const explanationResultSchema = s.object(
  {
    ...condition,
    ...stacks,
    subject: s.orNull(s.name('Name of the page; null: the mean of all pages.')),
    whole: gain(
      'The gain: metric of the baseline less that of the arm, over blocks in which both ended; null: too few blocks.',
    ),
    parts: s.list(partSchema, 'In the order in which the changes were added to each other.'),
    residual: gain('whole less all parts: what remains when all differences above are removed.'),
    alternatives: s.list(
      s.object(
        {
          ...about,
          change: s.text('What was changed, as a sentence.'),
          gain: gain('The gain under this setting.'),
          effect: gain('The gain under this setting less the whole gain.'),
        },
        'The gain under another setting.',
      ),
      'Not part of the sum.',
    ),
    unchanged: explanationSchema.properties.unchanged,
    level: s.number(
      'Share of runs in which one interval of the table is wrong: 5 % over all rows that add up, and the whole.',
    ),
    sentence: s.text('The division in words.'),
  },
  'Division of a gain into the parts that single changes remove. Estimates are Hodges-Lehmann, means over pages.',
);

export type ExplanationResult = s.Static<typeof explanationResultSchema>;
