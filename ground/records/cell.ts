import { type Factors, variantOf } from './factors.ts';

/** Subject, network condition by name, and factors (or their variant) of an attempt. */
export type Cell = { subject: string; network: { name: string } } & (
  | { factors: Factors }
  | { variant: string }
);

function variantIn(cell: { factors: Factors } | { variant: string }): string {
  return 'variant' in cell ? cell.variant : variantOf(cell.factors);
}

/** Key of a network condition and variant. */
export function conditionKey({ network, variant }: { network: string; variant: string }): string {
  return JSON.stringify([network, variant]);
}

/** Key of a subject under a condition. */
export function subjectConditionKey(cell: Cell): string {
  return JSON.stringify([cell.subject, cell.network.name, variantIn(cell)]);
}

/** Key of a subject and arm under a condition. */
export function cellKey(cell: Cell & { arm: string }): string {
  return JSON.stringify([subjectConditionKey(cell), cell.arm]);
}

/** Key of a block. */
export function blockKey(cell: Cell & { block: number }): string {
  return `${cell.block} ${subjectConditionKey(cell)}`;
}
