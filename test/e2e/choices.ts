import type { RunChoices } from '../../ground/records/run.ts';
import { readOptions } from '../../runner/options.ts';

/** Choices of a run without options. */
export const CHOICES: RunChoices = { ...readOptions([]).choices, pinned: null };
