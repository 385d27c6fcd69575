import type { Experiment } from '../../ground/experiment.ts';
import { firstNames } from '../../ground/first-names.ts';
import { isFailureOfStack, isGivenUp } from '../../ground/records/counted-loads.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import type { Block } from './blocks.ts';

/** Attempts of a stack that were skipped because those before them had failed. */
function givenUpIn(blocks: readonly Block[], arm: string): Observation[] {
  const made = blocks.flatMap((block) => block.made);
  return made.filter((load) => load.arm === arm && isGivenUp(load.code));
}

/** How skipped attempts count, and why they were given up, as notes of a comparison. */
export function givenUpNotes(
  stacks: readonly { arm: string; label: string }[],
  blocks: readonly Block[],
  [one, several]: Experiment['attempt'],
): string[] {
  return stacks.flatMap(({ arm, label }) => {
    const loads = givenUpIn(blocks, arm);
    const [first] = loads;
    if (!first) return [];
    return [
      `${label} was given up: ${countWithNoun(loads.length, one, several)} ${countedAsText(loads)}. ${first.message}`,
    ];
  });
}

/** The same of a whole run, as warnings: a sentence for each stack. */
export function givenUpWarnings(
  arms: readonly { arm: string; label: string }[],
  blocks: readonly Block[],
  { attempt, subject }: Pick<Experiment, 'attempt' | 'subject'>,
): string[] {
  return arms.flatMap(({ arm, label }) => {
    const loads = givenUpIn(blocks, arm);
    if (loads.length === 0) return [];
    const names = [...new Set(loads.map((load) => load.subject))];
    return [
      `${label} was given up on ${countWithNoun(names.length, ...subject)} (${firstNames(names, 3)}), where it had failed repeatedly: ${countWithNoun(loads.length, ...attempt)} ${countedAsText(loads)}. The exclusions and the comparisons have the reasons.`,
    ];
  });
}

function countedAsText(loads: readonly Observation[]): string {
  const failed = loads.filter(({ code }) => isFailureOfStack(code)).length;
  const count = failed === 1 ? 'counts as a failure' : 'count as failures';
  const were = loads.length === 1 ? 'was' : 'were';
  if (failed === loads.length) return `${were} not made and ${count}`;
  const rest =
    failed === 0
      ? `${loads.length === 1 ? 'its pair is' : 'their pairs are'} excluded`
      : `${failed} of them ${count}`;
  return `${were} not made; ${rest}`;
}
