import { isGivenUp } from '../../ground/records/counted-loads.ts';
import { harLink } from '../../kit/page/links.ts';
import { html, type Markup, nameOf } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import { harOf } from './hars.ts';
import { attemptsText, labelOf, type ReportView } from './view.ts';

/** Loads that the statistics exclude or flag, and why. */
export const exclusions: Section<ReportView> = defineFoldedSection(
  'exclusions',
  'Exclusions',
  (view) => {
    const { progress, exclusions: kept, rows } = view.summary;
    const { donePageLoads, plannedPageLoads, doneWarmups } = progress;
    const [one, several] = view.experiment.attempt;
    const givenUp = kept.entries.reduce(
      (sum, { code, count }) => sum + (isGivenUp(code) ? count : 0),
      0,
    );
    const made = donePageLoads - givenUp;
    const counting = rows.reduce((sum, row) => sum + row.n, 0);
    return {
      title: `Excluded ${several}`,
      about: exclusionsText(view),
      content: html`<p>Of ${countWithNoun(plannedPageLoads, `planned ${one}`, `planned ${several}`)}, ${countText(made)} ${made === 1 ? 'was' : 'were'} made${givenUp > 0 && `, ${countText(givenUp)} given up`} and ${countText(counting)}
${counting === 1 ? 'is' : 'are'} in the statistics. ${countWithNoun(doneWarmups, 'warm-up')} ${doneWarmups === 1 ? 'is' : 'are'} not. No ${one} is excluded
for its value: a slow ${one} stays. <em>Failed</em>: there is no complete ${one}. <em>Invalid</em>: it was complete, but
not the ${one} that was meant, for example over another protocol.</p>
<p>${capitalize(several)} are compared in pairs within their block (each stack once, one after the other). A ${one} that its server${view.ofPages && ' or page'} made fail is
${view.metric.words[1]} than all that ended; what ${view.experiment.clientNoun}, path or bench broke, and what was invalid, drops its pair. In ${countText(kept.blocks.nWhole)} of
${countWithNoun(kept.blocks.nPlanned, 'block')} all ${several} are ok${
        kept.blocks.nBroken > 0 && `, in ${countText(kept.blocks.nBroken)} they are not`
      }${kept.blocks.nNotMade > 0 && `; of those, ${countText(kept.blocks.nNotMade)} ${kept.blocks.nNotMade === 1 ? 'was' : 'were'} not made at all`}. ${
        kept.nExcluded > 0 &&
        `${countWithNoun(kept.nExcluded, `ok ${one}`, `ok ${several}`)} ${kept.nExcluded === 1 ? 'is' : 'are'} excluded because the ${several} of the block were made on several machines, or twice (${byStack(view, kept.excludedByStack)}).`
      }</p>
${
  kept.entries.length === 0
    ? html`<p><strong>No ${one} failed and none was invalid.</strong></p>`
    : reasonsTable(view)
}
${remedies(view.summary.exclusions)}
${disturbed(view)}`,
    };
  },
);

function exclusionsText({ run, summary }: ReportView): string {
  const { entries, disturbed } = summary.exclusions;
  const { nLoads } = disturbed;
  const isRead = run.read !== undefined;
  const of = (outcome: string) =>
    entries.reduce((sum, each) => sum + (each.outcome === outcome ? each.count : 0), 0);
  const unsupported = of('unsupported');
  const left = `${countText(of('failed'))} failed, ${countText(of('invalid'))} invalid${unsupported > 0 ? `, ${countText(unsupported)} unsupported` : ''}`;
  return isRead ? left : `${left}, ${countText(nLoads)} counted with a disturbed machine`;
}

function reasonsTable(view: ReportView): Markup {
  const [, several] = view.experiment.attempt;
  const exampleText = ({ example }: ReportView['summary']['exclusions']['entries'][number]) => {
    const har = harOf(view.observations.find(({ id }) => id === example.id));
    return html`${nameOf(example.subject)}, <bdi>${labelOf(view, example.arm)}</bdi>: <bdi>${example.message ?? 'no message'}</bdi>${har !== null && html` (${harLink(har)})`}`;
  };
  return table({
    label: `Excluded ${several} by reason`,
    class: 'exclusions',
    caption: `Failed and invalid ${several} by reason`,
    columns: [
      ['Reason', ({ code }) => html`<code>${code}</code>`],
      ['Outcome', ({ outcome }) => outcome, 'text'],
      [capitalize(several), ({ count }) => countText(count)],
      ['On which stack', ({ countByStack }) => byStack(view, countByStack) || '–', 'text wrap'],
      ['Warm-ups', ({ warmupCount }) => countText(warmupCount)],
      ['First of them', exampleText, 'text wrap'],
    ],
    items: view.summary.exclusions.entries,
  });
}

function remedies({ remedies: sentences }: ReportView['summary']['exclusions']): Markup {
  if (sentences.length === 0) return html``;
  return html`<ul class="wrap">${sentences.map(
    (sentence) => html`<li><bdi>${sentence}</bdi></li>`,
  )}</ul>`;
}

function disturbed(view: ReportView): Markup {
  if (view.run.read) {
    return html`<p>The file from which the ${view.experiment.attempt[1]} were read does not say whether machines were quiet.</p>`;
  }
  const { nLoads, nCounted, countByStack, examples } = view.summary.exclusions.disturbed;
  const { otherCpuPercent, stealPercent, availableMemoryMb } = view.run.interferenceRule;
  const rule = `more than ${otherCpuPercent} % of a core's time for other programs, more than ${stealPercent} % of the machine's taken by other machines of its host, or less than ${countText(availableMemoryMb)} MB of memory free`;
  if (nLoads === 0) {
    return html`<p><strong>No ${view.experiment.attempt[0]} was disturbed</strong> (${rule}).</p>`;
  }
  return html`<p><strong>The machine was not quiet during ${attemptsText(view, nLoads)}</strong> (${byStack(view, countByStack)}): ${rule}. They are kept, and
${nCounted === nLoads ? 'all' : countText(nCounted)} of them ${nCounted === 1 ? 'counts' : 'count'}; the answer also has the ratio without them.</p>
<ul class="quiet">${examples.map(
    ({ subject, arm, reason }) =>
      html`<li>${nameOf(subject)}, <bdi>${labelOf(view, arm)}</bdi>: <bdi>${reason}</bdi></li>`,
  )}</ul>`;
}

function byStack(view: ReportView, counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([arm, count]) => `${labelOf(view, arm)} ${countText(count)}`)
    .join(', ');
}
