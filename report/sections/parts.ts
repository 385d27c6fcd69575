import type { LoadPhasesMs } from '../../experiments/page-load/details.ts';

/** One part as tables and sentences name it. */
export interface Part {
  name: keyof LoadPhasesMs;
  label: string;
  definition: string;
  /** In the middle of a sentence. */
  phrase: string;
}

/** The parts of a page load time in the order of tables. */
export const PARTS: readonly Part[] = [
  {
    name: 'setUp',
    label: 'Set-up',
    definition: 'connections being made, no request waiting or receiving',
    phrase: 'set-up',
  },
  {
    name: 'waiting',
    label: 'Waiting',
    definition: 'requests sent, nothing arriving',
    phrase: 'waiting',
  },
  {
    name: 'transfer',
    label: 'Transfer',
    definition: 'at least one response arriving',
    phrase: 'transfer',
  },
  {
    name: 'rest',
    label: 'Rest',
    definition: 'no request under way: browser work',
    phrase: 'time without a request under way',
  },
];
