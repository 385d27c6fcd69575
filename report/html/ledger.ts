import type { PageLoad } from '../../records/page-load.ts';
import { counted } from '../number-text.ts';
import type { Summary } from '../summary.ts';
import { harLink } from './har-link.ts';
import { html, type Markup } from './markup.ts';
import { nameOf, scrolling } from './name.ts';

/** Which loads are left out of the statistics, and why. */
export function ledger(summary: Summary, pageLoads: readonly PageLoad[]): Markup {
  const { donePageLoads, plannedPageLoads, doneWarmups } = summary.progress;
  const labelOf = (name: string) => summary.rows.find(({ stack }) => stack === name)?.label ?? name;
  const nOk = summary.rows.reduce((sum, row) => sum + row.nOk, 0);
  return html`<section aria-labelledby="ledger">
<h2 id="ledger">Loads left out</h2>
<p>Of ${counted(plannedPageLoads, 'planned page load')}, ${donePageLoads} ${donePageLoads === 1 ? 'was' : 'were'} made and ${nOk} ${nOk === 1 ? 'is' : 'are'} in the
statistics. Besides, ${counted(doneWarmups, 'warm-up')} came first and ${doneWarmups === 1 ? 'is' : 'are'} in no statistic. No load is left out for its value: a slow load
stays. <em>Failed</em>: there is no complete page load. <em>Invalid</em>: it was complete, but not the load that was meant,
for example over another protocol.</p>
${
  summary.ledger.length === 0
    ? html`<p><strong>No load failed and none was invalid.</strong></p>`
    : scrolling(
        'Loads left out, by reason',
        html`<table>
<caption>Failed and invalid loads by reason</caption>
<thead><tr><th scope="col" class="text">Outcome</th><th scope="col" class="text">Reason</th><th scope="col">Loads</th>
<th scope="col">Warm-ups</th><th scope="col" class="text">First of them</th></tr></thead>
<tbody>
${summary.ledger.map(({ outcome, code, count, warmupCount, example }) => {
  const load = pageLoads.find(({ id }) => id === example.id);
  return html`<tr><td class="text">${outcome}</td><th scope="row"><code>${code}</code></th><td>${count}</td><td>${warmupCount}</td>
<td class="text wrap">${nameOf(example.site)}, ${labelOf(example.stack)}: <bdi>${example.message ?? 'no message'}</bdi>${load?.har && html` (${harLink(load.har)})`}</td></tr>
`;
})}</tbody></table>`,
      )
}
</section>`;
}
