import type { PlannedArm, Trial } from '../../ground/records/run.ts';
import type { FlowChoices, Mix } from './records.ts';

export interface PlannedFlow {
  /** `bun-h2.2` */
  flow: string;
  arm: string;
}

/**
 * The flows of a block in the order of their starts: arm by arm in the block's order, in which each arm has each position
 * equally often. The flows of an arm are in ascending order in odd blocks, in descending order in even ones.
 */
export function flowsInOrder(block: readonly Trial[], mix: Mix, stackOf: StackOf): PlannedFlow[] {
  return block.flatMap(({ arm, block: number }) => {
    const count = mix.flows.find(({ stack }) => stack === stackOf(arm))?.flows ?? 0;
    const own = Array.from({ length: count }, (_, index) => ({ flow: `${arm}.${index + 1}`, arm }));
    return number % 2 === 0 ? own.toReversed() : own;
  });
}

/** The stack of an arm; a control has that of the arm that it repeats. */
type StackOf = (arm: PlannedArm['arm']) => string;

export function mixOf({ mixes }: FlowChoices, subject: string): Mix {
  const found = mixes.find((mix) => mix.subject === subject);
  if (!found) throw new Error(`no mix ${subject}`);
  return found;
}
