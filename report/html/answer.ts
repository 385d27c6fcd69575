import { conditionText } from '../condition.ts';
import { counted, millisecondsText, rangeText } from '../number-text.ts';
import type { Overview, PairOverview } from '../overview.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';

/** What the run says at a glance: medians, how many loads stand behind them, and what is not claimed. */
export function answer(summary: Summary): Markup {
  const counts = summary.rows.map((row) => row.nOk).filter((count) => count > 0);
  return html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">In short</h2>
${summary.overview.map((overview) => conditionAnswer(overview))}
<p><strong>No verdict is given.</strong> This version computes no intervals and no verdicts, so it does not say whether
any difference is more than chance. ${counts.length > 0 && basis(counts)}</p>
</section>`;
}

function conditionAnswer(overview: Overview): Markup {
  const { network, nSites, stacks, likeForLike } = overview;
  if (nSites === 0) {
    return html`<p>Network: ${conditionText(network)}. No site has an ok page load on every stack, so nothing can be
set side by side.</p>`;
  }
  const lead =
    nSites === 1
      ? 'Median page load time of the one site with ok loads on every stack'
      : `Median page load time over ${counted(nSites, 'site')}: the median of the sites’ medians`;
  return html`<p>${lead}. Network: ${conditionText(network)}.</p>
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

/** How many loads stand behind a median, and what that is good for. */
function basis(counts: readonly number[]): string {
  const least = Math.min(...counts);
  const many = `Behind each median ${Math.max(...counts) === 1 ? 'is' : 'are'} ${rangeText(counts)} ok page ${Math.max(...counts) === 1 ? 'load' : 'loads'}`;
  // Fewer than 6 pairs cannot reach p < 0.05 in a two-sided signed-rank test; a claim should rest on 20.
  if (least < 6) return `${many}: too few for any test to tell.`;
  if (least < 20) return `${many}: few for a claim, 20 or more are wanted.`;
  return `${many}.`;
}
