import * as s from '../../ground/records/schema.ts';
import { estimateSchema } from '../../kit/text/estimate.ts';
import { verdictSchema } from '../../kit/text/verdict.ts';
import { countOfBoth, sentenceList, share } from './fields.ts';

/** What pairs of loads say, of one site: of two stacks, or of one of them under two conditions. */
export const contrastOfSite = {
  nPairs: s.count(
    'Pairs of loads that both have the number, or failed by their own server or page.',
  ),
  ratio: s.orNull(
    estimateSchema,
    'Of the first to what it is compared with: e to the power of the Hodges-Lehmann estimate of the log ratios. Below 1: the number is lower. Null without pairs, or where failures leave none.',
  ),
  difference: s.orNull(
    estimateSchema,
    "Hodges-Lehmann estimate of the differences in the metric's unit. Below 0: the number is lower.",
  ),
};

/** The same of all sites together, with a verdict. */
export const contrastOfSites = {
  nSites: s.count('Sites with a pair.'),
  nPairs: s.count('Pairs of all these sites.'),
  nFailed: countOfBoth(
    'Pairs in which the load failed by its own server or page: worse than all that ended. `baseline`: what is compared with.',
  ),
  ratio: s.orNull(
    estimateSchema,
    "e to the power of the mean of the sites' log ratios; the interval speaks of these sites, at `level`. Null without pairs, or where failures leave none.",
  ),
  difference: s.orNull(
    estimateSchema,
    "Mean of the sites' differences in the metric's unit, in the same way.",
  ),
  level: share(
    'Share outside of the intervals: 0.05, shared alike among the answers of a family, minus what earlier looks spent.',
  ),
  verdict: verdictSchema,
  notes: sentenceList(
    'Excluded sites and pairs, influence of the machine, and other caveats, as sentences.',
  ),
};

export type Contrast = s.Static<typeof schema>;

const schema = s.object(contrastOfSites, 'A contrast.');
