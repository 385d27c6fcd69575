import { conditionTitle, html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText, millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { conditionName } from '../../condition.ts';
import { hasAny } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { LIMITS, type TransferDetails } from '../records.ts';
import { type Condition, countedOf, medianTransfer, sizesOf, type Transfer } from './transfers.ts';

/** What held transfers up, and what became of those that were repeated with that limit raised. */
export const limits: Section<RunView> = {
  isShown: hasAny(transfersWithLimits),
  ...defineOpenSection('limits', 'What limited them', (view) => ({
    title: 'What limited the transfers',
    content: html`<p>What held each transfer up most, told from what was observed of it alone: packets on the path, windows, processor time. The model does not know which options the run was given; <q>not told</q> is where the observations point
nowhere. The sentence is that of the transfer in the middle by its total time.</p>
${view.conditions.map((condition) => limitsTable(view, condition))}${explainedTable(view)}`,
  })),
};

function transfersWithLimits(view: RunView, condition: Condition): Transfer[] {
  return countedOf(view, condition).filter(({ details }) => (details?.limitedBy ?? null) !== null);
}

function limitsTable(view: RunView, condition: Condition): Markup | null {
  const limited = transfersWithLimits(view, condition);
  if (limited.length === 0) return null;
  const shown = [...LIMITS, null].filter((limit) =>
    limited.some((each) => limitOf(each) === limit),
  );
  return table({
    label: `What limited the transfers, ${conditionName(condition)}`,
    caption: html`${conditionTitle(condition)}: transfers by what limited them`,
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ...shown.map(
        (limit, place): Column<ArmLimits> => [
          capitalize(limit ?? 'not told'),
          ({ counts }) => (counts[place] === 0 ? '–' : countText(counts[place] ?? 0)),
          ({ counts }) => (counts[place] === Math.max(...counts) ? 'main' : ''),
        ],
      ),
      [
        'The transfer in the middle',
        ({ own }) => medianTransfer(own)?.details?.limitedBy?.because,
        'text wrap',
      ],
    ],
    groups: sizesOf(limited).map(({ subject, transfers }) => [
      nameOf(subject),
      view.arms.flatMap((arm): ArmLimits[] => {
        const own = transfers.get(arm.arm) ?? [];
        const counts = shown.map((limit) => own.filter((each) => limitOf(each) === limit).length);
        return own.length === 0 ? [] : [{ arm, own, counts }];
      }),
    ]),
  });
}

interface ArmLimits {
  arm: ShownArm;
  own: readonly Transfer[];
  /** Transfers by each limit shown. */
  counts: readonly number[];
}

function limitOf({ details }: Transfer) {
  return details?.limitedBy?.limit ?? null;
}

function helpedText({ helped, raisedMs }: NonNullable<TransferDetails['explains']>): string {
  return helped ? 'yes' : raisedMs.length === 0 ? 'cannot tell' : 'no';
}

/** Every transfer that was repeated with its limit raised. */
function explainedTable({ observations, arms }: RunView): Markup | null {
  const explained = (observations as readonly Transfer[]).flatMap(
    ({ arm, subject, network, details }) => {
      const explains = details?.explains;
      const of = arms.find((each) => each.arm === arm);
      return explains && of ? [{ of, subject, network, explains }] : [];
    },
  );
  if (explained.length === 0) return null;
  return table({
    label: 'Limits raised',
    caption: html`A transfer of each kind again with its limit raised and with nothing changed, in turns; medians. It was the limit if every raised one was faster than every one with nothing changed, which by chance happens once in twenty.${
      explained.some(
        ({ explains }) => explains.raised === 'round trips' && explains.raisedMs.length > 0,
      ) &&
      ' Without the added delay all that waits for the path is shorter, windows and losses too: of round trips a yes is no test of the model, and only a no says something.'
    }`,
    columns: [
      ['Stack', ({ of }) => stackLabel(of)],
      ['Size', ({ subject }) => nameOf(subject), 'text'],
      ['Network', ({ network }) => nameOf(network.name), 'text'],
      ['Limit', ({ explains }) => explains.raised, 'text'],
      ['How it was raised', ({ explains }) => explains.how, 'text wrap'],
      ['Before, ms', ({ explains }) => millisecondsText(median(explains.asItWasMs))],
      ['Raised, ms', ({ explains }) => millisecondsText(median(explains.raisedMs))],
      ['It was the limit', ({ explains }) => helpedText(explains), 'text'],
      ['Raised, it was', ({ explains }) => explains.limitThen ?? '–', 'text'],
    ],
    items: explained,
  });
}
