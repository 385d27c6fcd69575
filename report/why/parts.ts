import type { LoadPhasesMs } from '../../records/load-phases.ts';

/** The parts of a page load time in the order of tables. */
export const PARTS: readonly { name: keyof LoadPhasesMs; label: string; definition: string }[] = [
  {
    name: 'setUp',
    label: 'Set-up',
    definition: 'connections being made, no request waiting or receiving',
  },
  {
    name: 'waiting',
    label: 'Waiting',
    definition: 'requests sent, nothing arriving',
  },
  {
    name: 'transfer',
    label: 'Transfer',
    definition: 'at least one response arriving',
  },
  {
    name: 'rest',
    label: 'Rest',
    definition: 'no request under way: browser work',
  },
];
