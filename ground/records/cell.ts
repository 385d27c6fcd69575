import { type Factors, variantOf } from './factors.ts';

/** Where an attempt belongs: its subject under a network condition, known by name, and the values of its factors, or these in one word. */
export type Cell = { subject: string; network: { name: string } } & (
  | { factors: Factors }
  | { variant: string }
);

/** The values of a cell's factors in one word. */
function variantIn(cell: { factors: Factors } | { variant: string }): string {
  return 'variant' in cell ? cell.variant : variantOf(cell.factors);
}

/** The same for the same network condition, known by name, and the same values of the factors, and only then. */
export function conditionKey({ network, variant }: { network: string; variant: string }): string {
  return JSON.stringify([network, variant]);
}

/** The same for the same subject under the same condition, and only then. */
export function subjectConditionKey(cell: Cell): string {
  return JSON.stringify([cell.subject, cell.network.name, variantIn(cell)]);
}

/** The same for the same subject and arm under the same condition, and only then. */
export function cellKey(cell: Cell & { arm: string }): string {
  return JSON.stringify([subjectConditionKey(cell), cell.arm]);
}

/** The same for attempts and trials of the same block, and only then. */
export function blockKey(cell: Cell & { block: number }): string {
  return `${cell.block} ${subjectConditionKey(cell)}`;
}
