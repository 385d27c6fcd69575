import { conditionText } from '../condition.ts';
import { counted, millisecondsText, rangeText } from '../number-text.ts';
import type { Overview, PairOverview } from '../overview.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';

/** What the run says at a glance: medians, how many loads stand behind them, and what is not claimed. */
export function answer(summary: Summary): Markup {
  const counts = summary.rows.map((row) => row.nOk);
  return html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">In short</h2>
${summary.overview.map((overview) => conditionAnswer(overview))}
<p><strong>No verdict is given.</strong> This version computes no intervals and no verdicts, so it does not say whether
any difference is more than chance. Behind each median are ${rangeText(counts)} page loads per site and stack${fewLoads(counts)}.</p>
</section>`;
}

function conditionAnswer(overview: Overview): Markup {
  const { network, nSites, stacks, likeForLike } = overview;
  if (nSites === 0) {
    return html`<p>Network: ${conditionText(network)}. No site has a valid page load on every stack, so nothing can be
set side by side.</p>`;
  }
  const lead =
    nSites === 1
      ? 'Median page load time of the one site that has valid loads on every stack'
      : `The middle one of ${counted(nSites, 'site')}: the median of their median page load times`;
  return html`<p>${lead} (network: ${conditionText(network)}).</p>
<dl class="figures">
${stacks.map(
  ({ label, medianOfSiteMediansMs }, index) =>
    html`<div class="stack-${(index % 6) + 1}"><dt>${label}</dt><dd>${millisecondsText(medianOfSiteMediansMs)} <small>ms</small></dd></div>
`,
)}</dl>
${likeForLike && pairAnswer(likeForLike, overview)}`;
}

function pairAnswer(pair: PairOverview, overview: Overview): Markup {
  const labelOf = (name: string) =>
    overview.stacks.find(({ stack }) => stack === name)?.label ?? name;
  const first = labelOf(pair.first);
  const second = labelOf(pair.second);
  const equal = pair.nEqual > 0 ? `, and equal on ${pair.nEqual}` : '';
  return html`<p>Like for like, ${first} against ${second}: the median was lower with ${first} on
${counted(pair.nFirstLower, 'site')} and lower with ${second} on ${counted(pair.nSecondLower, 'site')}${equal}. This counts
medians; it is not a test.</p>`;
}

// Fewer than 6 pairs cannot reach p < 0.05 in a two-sided signed-rank test; 20 is what a claim should rest on.
function fewLoads(counts: readonly number[]): string {
  const least = Math.min(...counts);
  if (least < 6) return ', too few for any test to tell';
  return least < 20 ? ', few for a claim (20 or more are wanted)' : '';
}
