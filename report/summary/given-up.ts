import type { Experiment } from '../../experiments/experiment.ts';
import { isFailureOfStack, isGivenUp } from '../../records/counted-loads.ts';
import type { Observation } from '../../records/observation.ts';
import { counted } from '../text/number.ts';
import type { Block } from './blocks.ts';

/** Attempts of a stack that were not made, because those before them had failed. */
function givenUpIn(blocks: readonly Block[], arm: string): Observation[] {
  const made = blocks.flatMap((block) => block.made);
  return made.filter((load) => load.arm === arm && isGivenUp(load.code));
}

/** What became of them, and why they were given up, as notes beside a comparison. */
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
      `${label} was given up: ${counted(loads.length, one, several)} ${countedAs(loads)}. ${first.message}`,
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
    const said = `${names.slice(0, NAMED_SITES).join(', ')}${names.length > NAMED_SITES ? ', ...' : ''}`;
    return [
      `${label} was given up on ${counted(names.length, ...subject)} (${said}), where it had failed time and again while others worked: ${counted(loads.length, ...attempt)} ${countedAs(loads)}. The reasons stand in the ledger and beside the comparisons.`,
    ];
  });
}

/** Of more sites a warning gives no names. */
const NAMED_SITES = 3;

function countedAs(loads: readonly Observation[]): string {
  const were = loads.length === 1 ? 'was' : 'were';
  const failed = loads.filter(({ code }) => isFailureOfStack(code)).length;
  if (failed === loads.length) return `${were} not made and count as failures`;
  const rest = failed === 0 ? 'their pairs are left out' : `${failed} of them count as failures`;
  return `${were} not made; ${rest}`;
}
