import { conditionTitle, html, type Markup, nameOf, scrolling } from '../../../kit/page/markup.ts';
import type { Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { capital } from '../../../kit/text/capital.ts';
import { countText, millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { hasAny } from '../../by-condition.ts';
import { conditionName } from '../../condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { LIMITS } from '../records.ts';
import {
  type Condition,
  countedOf,
  medianTransfer,
  type Size,
  sizesOf,
  type Transfer,
} from './transfers.ts';

/** What held transfers up, and what became of those that were repeated with that limit raised. */
export const limits: Section<RunView> = {
  id: 'limits',
  title: 'What limited them',
  isShown: hasAny(toldOf),
  render: (
    view,
    id,
  ) => html`<section aria-labelledby="${id}"><h2 id="${id}">What limited the transfers</h2>
<p>What held each transfer up most, told from what was observed of it alone: packets on the path, windows, processor time. The model does not know which options the run was given; <q>not told</q> is where the observations point
nowhere. The sentence is that of the transfer in the middle by its total time.</p>
${view.conditions.map((condition) => conditionMarkup(view, condition))}${explainedTable(view)}</section>`,
};

function toldOf(view: RunView, condition: Condition): Transfer[] {
  return countedOf(view, condition).filter(({ details }) => (details?.limitedBy ?? null) !== null);
}

function conditionMarkup(view: RunView, condition: Condition): Markup | null {
  const told = toldOf(view, condition);
  if (told.length === 0) return null;
  const shown = [
    ...LIMITS.filter((limit) => told.some((each) => limitOf(each) === limit)),
    ...(told.some((each) => limitOf(each) === null) ? [null] : []),
  ];
  return scrolling(
    `What limited the transfers, ${conditionName(condition)}`,
    html`<table><caption>${conditionTitle(condition)}: transfers by what limited them</caption>
<thead><tr><th scope="col" class="text">Stack</th>${shown.map((limit) => html`<th scope="col">${capital(limit ?? 'not told')}</th>`)}<th scope="col" class="text">The transfer in the middle</th></tr></thead>
${sizesOf(told).map((size) => sizeRows(view.arms, size, shown))}</table>`,
  );
}

function sizeRows(
  arms: readonly ShownArm[],
  { subject, transfers }: Size,
  shown: readonly ReturnType<typeof limitOf>[],
): Markup {
  return html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${shown.length + 2}">${nameOf(subject)}</th></tr>
${arms.map((arm) => {
  const own = transfers.get(arm.arm) ?? [];
  if (own.length === 0) return null;
  const counts = shown.map((limit) => own.filter((each) => limitOf(each) === limit).length);
  const most = Math.max(...counts);
  return html`<tr><th scope="row" class="stack">${stackLabel(arm)}</th>${counts.map((count) => html`<td${count === most && html` class="main"`}>${count === 0 ? '–' : countText(count)}</td>`)}<td class="text wrap">${medianTransfer(own)?.details?.limitedBy?.because}</td></tr>`;
})}</tbody>`;
}

function limitOf({ details }: Transfer) {
  return details?.limitedBy?.limit ?? null;
}

function medianText(timesMs: readonly number[]): string {
  return timesMs.length === 0 ? '–' : millisecondsText(median(timesMs));
}

/** Every transfer that was repeated with its limit raised, beside the one that it repeats. */
function explainedTable({ observations, arms }: RunView): Markup | null {
  const explained = (observations as readonly Transfer[]).flatMap(
    ({ arm, subject, network, details }) => {
      const explains = details?.explains;
      const of = arms.find((each) => each.arm === arm);
      return explains && of ? [{ of, subject, network, explains }] : [];
    },
  );
  if (explained.length === 0) return null;
  return scrolling(
    'Limits raised',
    html`<table><caption>A transfer of each kind again with its limit raised and with nothing changed, in turns; medians. It was the limit if every raised one was faster than every one with nothing changed, which by chance happens once in twenty.${
      explained.some(
        ({ explains }) => explains.raised === 'round trips' && explains.raisedMs.length > 0,
      ) &&
      ' Without the added delay all that waits for the path is shorter, windows and losses too: of round trips a yes is no test of the model, and only a no says something.'
    }</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col" class="text">Size</th><th scope="col" class="text">Network</th><th scope="col" class="text">Limit</th><th scope="col" class="text">How it was raised</th><th scope="col">Before, ms</th><th scope="col">Raised, ms</th><th scope="col" class="text">It was the limit</th><th scope="col" class="text">Raised, it was</th></tr></thead>
<tbody>
${explained.map(
  ({ of, subject, network, explains }) =>
    html`<tr><th scope="row">${stackLabel(of)}</th><td class="text">${nameOf(subject)}</td><td class="text">${nameOf(network.name)}</td><td class="text">${explains.raised}</td><td class="text wrap">${explains.how}</td><td>${medianText(explains.asItWasMs)}</td><td>${medianText(explains.raisedMs)}</td><td class="text">${explains.helped ? 'yes' : explains.raisedMs.length === 0 ? 'cannot tell' : 'no'}</td><td class="text">${explains.limitThen ?? '–'}</td></tr>`,
)}</tbody></table>`,
  );
}
