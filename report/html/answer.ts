import type { PooledComparison } from '../analysis/comparison.ts';
import { counted, decimalText, rangeText } from '../number-text.ts';
import type { ConditionView, ReportView } from './condition-view.ts';
import { ratioText, unbroken } from './estimate-text.ts';
import { isProtocolPair, unlikeSentence } from './like-for-like.ts';
import { html, type Markup } from './markup.ts';
import { conditionTitle } from './name.ts';
import { shownPooledVerdict, VERDICTS, verdictMarkup } from './verdict.ts';

/** The answer before anything else: a sentence for each condition and stack, how sites came out, what the control says. */
export function answer(view: ReportView): Markup {
  const { conditions, summary, compared } = view;
  return html`<section class="answer" aria-labelledby="answer">
<h2 id="answer">The answer</h2>
${compared.length === 0 && html`<p>The run has one stack, so there is nothing to compare.</p>`}
<ul class="answers">
${conditions.map(
  (condition) => html`<li><h3>${conditionTitle(condition)}</h3><div>
${
  condition.pooled.length > 0
    ? protocolPairFirst(condition.pooled).map((pooled) => pooledAnswer(view, condition, pooled))
    : html`<p>No site has a whole set of loads, so nothing can be compared.</p>`
}</div></li>
`,
)}</ul>
${summary.controls.map(
  ({
    sentence,
    falsePositiveRate,
    nComparisons,
    nCalledDifferent,
  }) => html`<p><strong>Control.</strong> ${sentence}${
    falsePositiveRate &&
    ` False alarms before correction: ${nCalledDifferent} of ${counted(nComparisons, 'comparison')}, ${percent(falsePositiveRate.estimate)}${
      falsePositiveRate.low !== null && falsePositiveRate.high !== null
        ? ` (${percent(falsePositiveRate.low)} to ${percent(falsePositiveRate.high)})`
        : ''
    }; about 5 % are expected.`
  }</p>
`,
)}
${basis(view)}
</section>`;
}

/** The pair of protocols answers the question; the others come after it. */
function protocolPairFirst(pooled: readonly PooledComparison[]): PooledComparison[] {
  return pooled.toSorted(
    (a, b) =>
      Number(isProtocolPair(b.stack, b.baseline)) - Number(isProtocolPair(a.stack, a.baseline)),
  );
}

function pooledAnswer(
  view: ReportView,
  condition: ConditionView,
  pooled: PooledComparison,
): Markup {
  const { sentence, nPairs, stack, baseline } = pooled;
  const unlike = unlikeSentence(view, stack, baseline);
  // The same in every condition: in full where it is met first.
  const again = condition.place > 1 && unlike?.startsWith('Not like for like') === true;
  return html`<div class="${isProtocolPair(stack, baseline) ? 'protocol-pair' : 'other-pair'}"><p class="sentence">${unbroken(sentence)}</p>
${nPairs > 0 && basisOfPooled(condition, pooled, again ? 'Not like for like, as above.' : unlike)}</div>
`;
}

/** What stands behind a sentence: the verdict, the loads, the sites one by one, and what was not equal. */
function basisOfPooled(
  { comparisons }: ConditionView,
  pooled: PooledComparison,
  unlike: string | null,
): Markup {
  const { nPairs, ratio, ratioWithoutDisturbed, stack, verdicts, notes } = pooled;
  const untested = comparisons.filter((each) => each.stack === stack && each.p === null).length;
  const counts = VERDICTS.map((verdict) => ({
    verdict,
    count: verdicts[verdict] - (verdict === 'cannot tell' ? untested : 0),
  })).filter(({ count }) => count > 0);
  const sites = [
    ...counts.map(({ verdict, count }) => html`${count} ${verdictMarkup(verdict)}`),
    ...(untested > 0 ? [html`${untested} without a verdict (fewer than 6 pairs)`] : []),
  ];
  return html`<p class="counts">${verdictMarkup(shownPooledVerdict(pooled))} over all sites${ratio && `, ratio ${ratioText(ratio.estimate)}`},
from ${counted(nPairs, 'pair')} of loads. Site by site: ${sites.map((site, index) => html`${index > 0 && ', '}${site}`)}.
${unlike && html`<strong>${unlike}</strong> `}${
  ratioWithoutDisturbed &&
  `Without the loads that the machine disturbed the ratio is ${ratioText(ratioWithoutDisturbed.estimate)}. `
}${notes.length > 0 && unbroken(notes.join(' '))}</p>`;
}

function percent(share: number): string {
  return `${decimalText(100 * share, 1)} %`;
}

/** What the words above mean, and how many loads stand behind them. */
function basis({ conditions, summary, compared, metric }: ReportView): Markup | null {
  if (compared.length === 0) return null;
  const { marginPercent, nTests, chosenAfterTheRun } = summary.analysis;
  const aboutDocuments = metric.name === 'documentTime';
  const pairs = conditions.flatMap(({ comparisons }) => comparisons.map(({ nPairs }) => nPairs));
  const least = pairs.length > 0 ? Math.min(...pairs) : 0;
  return html`${
    aboutDocuments &&
    html`<p>Everything here is about <strong>document time</strong>, the main document’s request alone. It says nothing about the rest of the page:
page load time is among the other metrics of each site, below.</p>
`
  }<p class="quiet">Numbers in brackets are 95 % intervals. ${
    pairs.length > 0 &&
    `Each site was compared over ${rangeText(pairs)} ${Math.max(...pairs) === 1 ? 'pair' : 'pairs'} of loads. `
  }${least < 6 && 'With fewer than 6 pairs no verdict is given. '}${
    least >= 6 && least < 20 && 'Fewer than 20 pairs are few for a claim. '
  }<em>Same</em>: the whole interval lies within ${decimalText(marginPercent)} % of equal${
    chosenAfterTheRun ? html`, a margin <strong>chosen after the run</strong>` : ''
  }. <em>Faster</em> and <em>slower</em>: a test says so after correction for ${counted(nTests, 'test')}.
<em>Cannot tell</em>: neither.</p>`;
}
