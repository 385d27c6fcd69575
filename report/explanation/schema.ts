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
    owner: explanationSchema.properties.steps.items.properties.owner,
    change: s.text('What was changed, as a sentence.'),
    part: gain('What the gain loses by this change after those before it; null: see missing.'),
    alone: gain('What the gain loses by this change alone.'),
    interaction: gain(
      'part - alone; null: one of the two is missing, or no earlier change is about the same stack, so that there can be no interaction.',
    ),
    reverse: gain('What the gain loses when the other stack is changed instead.'),
    reverseReason: s.optional(s.text('Why the other stack cannot be changed, as a clause.')),
    missing: s.optional(
      s.text('Why there is no part, as a sentence. The next part with a number contains it.'),
    ),
    contains: s.optional(
      s.list(
        s.text('A label.'),
        'Changes above without a part, which are in this one. Absent: none.',
      ),
    ),
  },
  'A part of a gain.',
);

export type ExplainedPart = s.Static<typeof partSchema>;

export const explanationResultSchema = s.object(
  {
    ...condition,
    ...stacks,
    subject: s.orNull(s.name('Name of the page; null: the mean of all pages.')),
    nBlocks: s.count('Blocks in which both loads are ok. Failed loads are not divided.'),
    whole: gain(
      'The gain: metric of the baseline less that of the arm, over blocks in which both ended; null: too few blocks.',
    ),
    parts: s.list(partSchema, 'In the order in which the changes were added to each other.'),
    notCounted: s.list(
      s.object(
        {
          arm: s.name('The arm.'),
          label: s.text('For tables.'),
          code: s.text('Why, as a code.'),
          nLoads: s.count('Number of loads.'),
        },
        'Loads without a number.',
      ),
      'Loads of the compared and the further arms that failed or are not valid.',
    ),
    residual: gain('whole less all parts: what remains when all differences above are removed.'),
    protocolAndResidual: gain(
      'whole less the parts of servers, settings and clients: those of the protocol and the residual; null: no part of the protocol, or too few blocks.',
    ),
    alternatives: s.list(
      s.object(
        {
          ...about,
          nPages: s.count('Pages with enough blocks, over which gain and effect are means.'),
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
      'Level of each interval but those of whole and protocolAndResidual, which have 5 %: 5 % divided by the number of parts and the residual, so that all of these hold together.',
    ),
    sentence: s.text('The division in words.'),
  },
  'Division of a gain into the parts that single changes remove. Estimates are Hodges-Lehmann, means over pages.',
);

export type ExplanationResult = s.Static<typeof explanationResultSchema>;
