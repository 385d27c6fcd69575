import { estimateMarkup } from '../kit/page/estimate.ts';
import { html, type Insert, type Markup } from '../kit/page/markup.ts';
import { foldedSection, type Section } from '../kit/page/section.ts';
import { table } from '../kit/page/table.ts';
import type { ConditionView, ReportView } from '../report/sections/view.ts';
import type { FindArm, Measure } from './measures.ts';

/** One definition of the duration in a claim: first the study's, last the one that answers the claim. */
interface Timing {
  /** Start and end, as a phrase: `until the handshake is complete`. */
  timed: string;
  /** Published value; absent: not published. */
  published?: number | null;
  /** The same in this run; absent: no run can measure it. */
  measured?: Measure | null;
  isOfEach?: boolean;
}

export interface Claim {
  /** A sentence, with its table or page. */
  claim: string;
  /** Writes its numbers with their unit. */
  textOf(value: number): string;
  /** The measured condition; absent: all conditions. */
  at?: (view: ReportView) => ConditionView | null;
  /** Whether the claim's title names the delay of that condition. */
  saysDelay?: boolean;
  timings: readonly Timing[];
}

/** A section that compares the published numbers of a study with those of a run. */
export interface ClaimsSection {
  id: string;
  /** `D’Agata 2024`. */
  study: string;
  /** Presets whose runs show it. */
  presets: readonly string[];
  /** The study's question, differences of this run, and what holds. */
  about: Insert | (() => Insert);
  /** A run without one of these arms has no claims. */
  needs?: readonly FindArm[];
  /** Called when shown: reads the study's data. */
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
    title: `Comparison with ${study}`,
    isShown: ({ run }) => run.preset !== null && presets.includes(run.preset),
    render: (view) =>
      foldedSection(id, {
        title: `Comparison with ${study}`,
        about: 'published values, how they were timed, and the same in this run',
        content: html`${typeof about === 'function' ? about() : about}
${claimsTable(study, view, needs.every((find) => find(view) !== null) ? claims() : [])}`,
      }),
  };
}

function claimsTable(study: string, view: ReportView, claims: readonly Claim[]): Markup {
  return table({
    label: `Published by ${study}, and measured here`,
    caption:
      'Published, and measured in this run with 95 % intervals. Rows of a claim time it in different ways: first as published, last as the question needs it.',
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
  const delay = saysDelay && condition ? ` This run added ${condition.network.rttMs} ms.` : '';
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
