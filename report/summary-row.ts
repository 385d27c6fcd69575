import { networkSchema } from '../records/network.ts';
import { protocolSchema } from '../records/protocol.ts';
import {
  count,
  described,
  list,
  map,
  name,
  number,
  object,
  orNull,
  type Static,
  text,
} from '../records/schema.ts';
import { backendUsedSchema } from './analysis/machines.ts';
import { metricSummarySchema } from './metric-summary.ts';
import { pathUseSchema } from './path-use.ts';
import { processorUseSchema } from './processor.ts';

const ids = (description: string) => list(name('Id of a load.'), description);

export const summaryRowSchema = object(
  {
    subject: name('Name of the site.'),
    source: text('Where the page comes from, as a sentence.'),
    arm: name('Name of the stack.'),
    label: text('For tables.'),
    protocol: protocolSchema,
    controlOf: orNull(
      name('The stack that this one repeats in the control; null: it is no control.'),
    ),
    network: object(
      {
        ...networkSchema.properties,
        backend: backendUsedSchema,
        measuredRttMs: orNull(
          number("Median over the row's loads, in ms; null where none has one."),
        ),
      },
      'As asked for, and as it was.',
    ),
    variant: text('Values of the factors, joined by dots.'),
    n: count('Loads that the statistics speak of: nOk - nExcluded.'),
    nPlanned: count('Loads planned, without warm-ups.'),
    nOk: count('Ok loads.'),
    nFailed: count('Failed loads.'),
    nInvalid: count('Invalid loads.'),
    nExcluded: count(
      'Ok loads left out because another load of their block is not ok or is missing.',
    ),
    nDisturbed: count('Of the n loads, those that were made while the machine was not quiet.'),
    nWarmup: count('Warm-ups made, whatever came of them; in no other count.'),
    metrics: { ...map(metricSummarySchema, 'The metrics by their names.'), minProperties: 1 },
    processor: described(
      processorUseSchema,
      'What the n loads took of the processor and what they met there: medians; null: no load tells.',
    ),
    path: described(
      pathUseSchema,
      'What the n loads sent over the path: medians; null: no load tells.',
    ),
    outliers: ids(
      'Counted loads whose time (that of verdicts) lies more than 3.5 scaled median absolute deviations off: kept, only flagged.',
    ),
    loads: orNull(
      object(
        {
          fastest: name('Id of the load with the smallest time.'),
          median: name('Id of the load in the middle; of two the faster one.'),
          slowest: name('Id of the load with the largest time.'),
        },
        'The counted loads that show the row best.',
      ),
      'The counted loads that show the row best; null without loads.',
    ),
  },
  'One site x network condition x visit x stack. Warm-ups are in nWarmup and in nothing else.',
);

/** One site x network condition x visit x stack. Warm-ups are in `nWarmup` and in nothing else. */
export type SummaryRow = Static<typeof summaryRowSchema>;
