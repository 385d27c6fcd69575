import { counted, millisecondsText, rangeText } from '../number-text.ts';
import type { Overview, PairOverview } from '../overview.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';
import { networkTitle } from './name.ts';

/** What the run says at a glance: medians, how many loads stand behind them, and what is not claimed. */
export function answer(summary: Summary): Markup {
  const { overview } = summary;
  const counts = summary.rows.map((row) => row.nOk).filter((count) => count > 0);
  return html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">In short</h2>
<p>Median page load time${overview.some(({ nSites }) => nSites > 1) && ': the median of the sites’ medians'}, over the
sites that have ok loads on every stack.${overview.length > 1 && ' One line for each network.'}</p>
<ul class="answers${overview.length > 2 && ' many'}">
${overview.map((one) => networkAnswer(one))}</ul>
<p><strong>No verdict is given.</strong> This version computes no intervals and no verdicts, so it does not say whether
any difference is more than chance. ${overview.some(({ likeForLike, nSites }) => likeForLike && nSites > 0) && 'Sites are counted by their medians; that is not a test.'}
${counts.length > 0 && basis(counts)}</p>
</section>`;
}

function networkAnswer(overview: Overview): Markup {
  const { network, nSites, stacks, likeForLike } = overview;
  const title = html`<h3>${networkTitle(network)}</h3>`;
  if (nSites === 0) {
    return html`<li>${title}<p>No site has an ok page load on every stack, so nothing can be set side by side.</p></li>
`;
  }
  return html`<li>${title}<div><dl class="figures">
${stacks.map(
  ({ label, medianOfSiteMediansMs }, index) =>
    html`<div class="stack-${(index % 6) + 1}"><dt>${label}</dt><dd>${millisecondsText(medianOfSiteMediansMs)} <small>ms</small></dd></div>
`,
)}</dl>
<p>${counted(nSites, 'site')}.${likeForLike && pairAnswer(likeForLike, overview)}</p></div></li>
`;
}

function pairAnswer(pair: PairOverview, overview: Overview): Markup {
  const labelOf = (name: string) =>
    overview.stacks.find(({ stack }) => stack === name)?.label ?? name;
  const equal = pair.nEqual > 0 ? `, equal on ${pair.nEqual}` : '';
  return html` Like for like: lower with ${labelOf(pair.first)} on ${pair.nFirstLower}, lower with ${labelOf(pair.second)} on
${pair.nSecondLower}${equal}.`;
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
