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

/** Main limits of transfers, and repetitions that find or relax them. */
export const limits: Section<RunView> = {
  isShown: hasAny(transfersWithLimits),
  ...defineOpenSection('limits', 'What limited them', (view) => ({
    title: 'What limited the transfers',
    content: html`<p>The main limit of each transfer, derived only from observations: packets on the path, windows, processor time. The model does not know the options of the run. <q>Unknown</q>: the observations do not
suffice; <code>--explain</code> judges a QUIC sender that reports nothing by the packets of a repetition. The sentence belongs to the transfer with the median total time.</p>
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
          capitalize(limit ?? 'unknown'),
          ({ counts }) => (counts[place] === 0 ? '–' : countText(counts[place] ?? 0)),
          ({ counts }) => (counts[place] === Math.max(...counts) ? 'main' : ''),
        ],
      ),
      [
        'The median transfer',
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

function helpedText(explains: TransferDetails['explains']): string {
  if (explains?.helped) return 'yes';
  return explains && explains.relaxedMs.length > 0 ? 'no' : 'undecided';
}

/** Source of a limit, with the reason if that is a repetition. */
function sourceText(repetition: TransferDetails['limitInRepetition']): string {
  if (!repetition) return 'the counted transfer';
  const { packets, because } = repetition;
  return `a repetition${packets ? `, by its packets ${packets}` : ''}: ${because}`;
}

/** Transfers that were repeated to find their limit, and with their limit relaxed. */
function explainedTable({ observations, arms }: RunView): Markup | null {
  const explained = (observations as readonly Transfer[]).flatMap(
    ({ arm, subject, network, details }) => {
      const { explains, limitInRepetition: repetition } = details ?? {};
      const of = arms.find((each) => each.arm === arm);
      return of && (explains || repetition) ? [{ of, subject, network, explains, repetition }] : [];
    },
  );
  if (explained.length === 0) return null;
  return table({
    label: 'Limits relaxed',
    caption: html`Repetitions of a transfer of each kind, alternating between its limit relaxed and unchanged; medians. The limit is confirmed if every relaxed repetition was faster than every unchanged one, which happens by chance once in twenty.${
      explained.some(
        ({ explains }) => explains?.relaxed === 'round trips' && explains.relaxedMs.length > 0,
      ) &&
      ' Removing the added delay also shortens the waits for windows and losses: for round trips a yes does not confirm the model, but a no contradicts it.'
    }`,
    columns: [
      ['Stack', ({ of }) => stackLabel(of)],
      ['Size', ({ subject }) => nameOf(subject), 'text'],
      ['Network', ({ network }) => nameOf(network.name), 'text'],
      ['Limit', ({ explains }) => explains?.relaxed ?? 'unknown', 'text'],
      ['Found in', ({ repetition }) => sourceText(repetition), 'text wrap'],
      ['How it was relaxed', ({ explains }) => explains?.how ?? '–', 'text wrap'],
      ['Before, ms', ({ explains }) => millisecondsText(median(explains?.unchangedMs ?? []))],
      ['Relaxed, ms', ({ explains }) => millisecondsText(median(explains?.relaxedMs ?? []))],
      ['It was the limit', ({ explains }) => helpedText(explains), 'text'],
      ['Limit when relaxed', ({ explains }) => explains?.limitAfter ?? '–', 'text'],
    ],
    items: explained,
  });
}
