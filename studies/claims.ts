import { estimateMarkup } from '../kit/page/estimate.ts';
import { html, type Insert, type Markup } from '../kit/page/markup.ts';
import { foldedSection, type Section } from '../kit/page/section.ts';
import { table } from '../kit/page/table.ts';
import type { ConditionView, ReportView } from '../report/sections/view.ts';
import type { FindArm, Measure } from './measures.ts';

/** One way to time what a claim is about. A claim's ways lead from what the study timed to what it should have. */
interface Timing {
  /** From where to where, or what else was done otherwise, as a phrase: `until the handshake is complete`. */
  timed: string;
  /** What was published of it; absent: nothing. */
  published?: number | null;
  /** The same in this run; absent: no run can tell. */
  measured?: Measure | null;
  /** Has a row for each condition, with its delay. */
  isOfEach?: boolean;
}

export interface Claim {
  /** As a sentence, with its table or page. */
  claim: string;
  /** How its numbers are written, with their unit. */
  textOf(value: number): string;
  /** The condition that it is measured under; absent: the measures take all. */
  at?: (view: ReportView) => ConditionView | null;
  /** Whether the delay of that condition follows the claim. */
  saysDelay?: boolean;
  timings: readonly Timing[];
}

/** A section that sets what a study published beside what a run measured. */
export interface ClaimsSection {
  id: string;
  /** The study in a few words: `D’Agata 2024`. */
  study: string;
  /** Presets whose runs show it. */
  presets: readonly string[];
  /** What was asked, how this run differs from the study's, and what remains true. */
  about: Insert | (() => Insert);
  /** A run that lacks one of them has no claims; absent: it lacks none. */
  needs?: readonly FindArm[];
  /** Read when they are shown: they need the study's data. */
  claims(): readonly Claim[];
}

export function claimsSection({
  id,
  study,
  presets,
  about,
  needs = [],
  claims,
}: ClaimsSection): Section<ReportView> {
  return {
    id,
    title: `Beside ${study}`,
    isShown: ({ run }) => run.preset !== null && presets.includes(run.preset),
    render: (view) =>
      foldedSection(id, {
        title: `Beside ${study}`,
        about: 'what was published, what was timed for it, and the same in this run',
        content: html`${typeof about === 'function' ? about() : about}
${claimsTable(study, view, needs.every((find) => find(view) !== null) ? claims() : [])}`,
      }),
  };
}

function claimsTable(study: string, view: ReportView, claims: readonly Claim[]): Markup {
  return table({
    label: `Published by ${study}, and measured here`,
    caption:
      'Published, and measured in this run with 95 % intervals. Below each claim stand the ways to time it, from what was published to what answers the question.',
    columns: [
      ['What is timed', ({ timed }) => timed],
      ['Published', ({ published, textOf }) => (published == null ? '–' : textOf(published))],
      ['Measured here', ({ found, textOf }) => estimateMarkup(found, textOf)],
    ],
    groups: claims.map((claim) => claimRows(view, claim)),
  });
}

function claimRows(view: ReportView, { claim, textOf, at, saysDelay, timings }: Claim) {
  const condition = at?.(view) ?? null;
  const delay =
    saysDelay && condition ? ` Measured here with ${condition.network.rttMs} ms added.` : '';
  const row = ({ timed, published, measured }: Timing, under = condition) => ({
    timed,
    published,
    textOf,
    found: measured?.(view, under) ?? null,
  });
  const rows = timings.flatMap((timing) =>
    timing.isOfEach
      ? view.conditions.map((each) =>
          row({ ...timing, timed: `${timing.timed}, ${each.network.rttMs} ms added` }, each),
        )
      : row(timing),
  );
  return [`${claim}${delay}`, rows] as const;
}
