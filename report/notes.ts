import { experimentOf } from '../experiments/index.ts';
import { endSentence } from '../kit/text/end.ts';
import { factName } from '../kit/text/fact-name.ts';
import { countWithNoun } from '../kit/text/number.ts';
import { sentences } from '../kit/text/sentences.ts';
import { undecidedTestsText } from '../kit/text/verdict.ts';
import { disturbedSentence } from './summary/machine-notes.ts';
import { entryText } from './summary/run-exclusions.ts';
import type { RunsComparison } from './summary/runs-comparison.ts';
import type { Summary } from './summary/summary.ts';
import { undecidableTests } from './summary/verdict.ts';
import { controlText } from './text/answers.ts';

/** What to know about the answers, as sentences; without any load, that there is none and why. */
export function notesOn(summary: Summary): string[] {
  const experiment = experimentOf(summary);
  const { attempt, site: nouns } = experiment;
  const [one, several] = attempt;
  const [site] = nouns;
  const { rows, comparisons, controls, ledger, warnings } = summary;
  const end = endSentence(summary);
  if (summary.progress.donePageLoads === 0) {
    return sentences(`No ${one} was measured.`, summary.looks && end, exclusionNotes(summary));
  }
  const pairs = comparisons.map(({ nPairs }) => nPairs);
  const advice =
    summary.looks || !summary.progress.complete
      ? ''
      : ' Leave --repetitions out, or give 12 or more.';
  const atMost = `at most ${countWithNoun(Math.max(...pairs), 'pair')} of ${several} for each ${site} and stack`;
  const few = undecidableTests(comparisons);
  const endsEarly = summary.looks !== null && summary.looks.end !== 'repetitions';
  const { nLoads } = ledger.disturbed;
  // Where it is more, a warning tells it.
  const isLittle = disturbedSentence(nLoads, summary.progress.donePageLoads, attempt) === null;
  return sentences(
    end,
    controls.map((control) => `Control: ${controlText(control, summary)}`),
    warnings,
    rows.some(({ n, nPlanned }) => n < nPlanned) &&
      `In brackets: counted ${several} of planned ones, where some are left out.`,
    summary.subjects.length > 1 && comparisons.length > 0 && summary.analysis.nTests === 0
      ? `No single ${site} is decided: ${atMost}, and a test needs 6.${advice}`
      : few && undecidedTestsText(few, experiment, endsEarly),
    exclusionNotes(summary),
    ledger.nExcluded > 0 &&
      `${countWithNoun(ledger.nExcluded, `ok ${one}`, `ok ${several}`)} left out because ${several} of the same block were made on several machines, or twice.`,
    nLoads > 0 &&
      isLittle &&
      `Other programs were using this machine during ${countWithNoun(nLoads, one, several)}; the report has the result without ${nLoads === 1 ? 'it' : 'them'}.`,
  );
}

/** What two runs have not in common, as sentences. */
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

/** Loads that are in no statistic, by reason, and what to do where there are no others. */
function exclusionNotes({ ledger, experiment }: Summary): string[] {
  return [...ledger.entries.map((entry) => entryText(entry, experiment)), ...ledger.remedies];
}
