import { experimentOf } from '../experiments/index.ts';
import { endSentence } from '../kit/text/end.ts';
import { factName } from '../kit/text/fact-name.ts';
import { countWithNoun } from '../kit/text/number.ts';
import { sentences } from '../kit/text/sentences.ts';
import { undecidedTestsText } from '../kit/text/verdict.ts';
import { isMuchDisturbed } from './summary/machine-notes.ts';
import { entryText } from './summary/run-exclusions.ts';
import type { RunsComparison } from './summary/runs-comparison.ts';
import type { Summary } from './summary/summary.ts';
import { undecidableTests } from './summary/verdict.ts';
import { controlText } from './text/answers.ts';

/** Caveats about the answers, as sentences; of a run without loads, why. */
export function notesOn(summary: Summary): string[] {
  const experiment = experimentOf(summary);
  const { attempt, site: nouns } = experiment;
  const [one, several] = attempt;
  const [site] = nouns;
  const { rows, comparisons, controls, exclusions, warnings } = summary;
  const end = endSentence(summary);
  if (summary.progress.donePageLoads === 0) {
    return sentences(`No ${one} was measured.`, summary.looks && end, exclusionNotes(summary));
  }
  const pairs = comparisons.map(({ nPairs }) => nPairs);
  const advice =
    summary.looks || !summary.progress.complete ? '' : ' Omit --repetitions, or choose 12 or more.';
  const atMost = `at most ${countWithNoun(Math.max(...pairs), 'pair')} of ${several} for each ${site} and stack`;
  const few = undecidableTests(comparisons);
  const endsEarly = summary.looks !== null && summary.looks.end !== 'repetitions';
  const { nLoads } = exclusions.disturbed;
  // A warning reports larger shares.
  const isLittle = !isMuchDisturbed(nLoads, summary.progress.donePageLoads);
  return sentences(
    end,
    controls.map((control) => `Control: ${controlText(control, summary)}`),
    warnings,
    rows.some(({ n, nPlanned }) => n < nPlanned) &&
      `In brackets: counted and planned ${several}, where they differ.`,
    summary.subjects.length > 1 && comparisons.length > 0 && summary.analysis.nTests === 0
      ? `No single ${site} is decided: ${atMost}, and a test needs 6.${advice}`
      : few && undecidedTestsText(few, experiment, endsEarly),
    exclusionNotes(summary),
    exclusions.nExcluded > 0 &&
      `${countWithNoun(exclusions.nExcluded, `ok ${one}`, `ok ${several}`)} excluded because their block was measured on several machines, or twice.`,
    nLoads > 0 &&
      isLittle &&
      `Other programs were using this machine during ${countWithNoun(nLoads, one, several)}; the report has the result without ${nLoads === 1 ? 'it' : 'them'}.`,
  );
}

/** Differences between two runs, as sentences. */
export function differenceNotes({ differences, onlyIn, otherPages }: RunsComparison): string[] {
  const alone = onlyIn.map(({ subjects, conditions, arms }, place) => {
    const names = [...subjects, ...conditions, ...arms];
    const run = place === 0 ? 'first' : 'second';
    return names.length > 0 && `Only in the ${run} run: ${names.join('; ')}.`;
  });
  return sentences(
    differences.length === 0
      ? 'Options, versions and machine were the same.'
      : `Not the same in both: ${differences.map(({ fact }) => factName(fact)).join('; ')}.`,
    ...alone,
    otherPages.length > 0 && `Not the same page in both: ${otherPages.join('; ')}.`,
  );
}

/** Excluded loads by reason, and remedies for sites that have no other loads. */
function exclusionNotes({ exclusions, experiment }: Summary): string[] {
  return [
    ...exclusions.entries.map((entry) => entryText(entry, experiment)),
    ...exclusions.remedies,
  ];
}
