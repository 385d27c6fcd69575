import { type Factors, variantOf } from './factors.ts';

/** Subject, network condition by name, and factors (or their variant) of an attempt. */
type SubjectCondition = { subject: string; network: { name: string } } & (
  | { factors: Factors }
  | { variant: string }
);

function variantIn(from: { factors: Factors } | { variant: string }): string {
  return 'variant' in from ? from.variant : variantOf(from.factors);
}

/** Key of a network condition and variant. */
export function conditionKey({ network, variant }: { network: string; variant: string }): string {
  return JSON.stringify([network, variant]);
}

/** Key of a subject under a condition. */
export function subjectConditionKey(from: SubjectCondition): string {
  return JSON.stringify([from.subject, from.network.name, variantIn(from)]);
}

/** Key of a cell: a subject and arm under a condition. */
export function cellKey(cell: SubjectCondition & { arm: string }): string {
  return JSON.stringify([subjectConditionKey(cell), cell.arm]);
}

/** Key of a block. */
export function blockKey(trial: SubjectCondition & { block: number }): string {
  return `${trial.block} ${subjectConditionKey(trial)}`;
}
