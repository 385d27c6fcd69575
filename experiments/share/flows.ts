import type { PlannedArm, Trial } from '../../ground/records/run.ts';
import type { FlowChoices, Mix } from './records.ts';

/** A flow as it is to be begun. */
export interface PlannedFlow {
  /** `bun-h2.2` */
  flow: string;
  arm: string;
}

/**
 * The flows of a block in the order in which they begin: arm by arm as the block has them, which changes from block to block so that
 * each arm has each place equally often; the flows of an arm forwards and backwards in turns.
 */
export function flowsInOrder(block: readonly Trial[], mix: Mix, stackOf: StackOf): PlannedFlow[] {
  return block.flatMap(({ arm, block: number }) => {
    const count = mix.flows.find(({ stack }) => stack === stackOf(arm))?.flows ?? 0;
    const own = Array.from({ length: count }, (_, index) => ({ flow: `${arm}.${index + 1}`, arm }));
    return number % 2 === 0 ? own.toReversed() : own;
  });
}

/** The stack of an arm: a control repeats that of another one. */
type StackOf = (arm: PlannedArm['arm']) => string;

/** The mix of a subject. */
export function mixOf({ mixes }: FlowChoices, subject: string): Mix {
  const found = mixes.find((mix) => mix.subject === subject);
  if (!found) throw new Error(`no mix ${subject}`);
  return found;
}
