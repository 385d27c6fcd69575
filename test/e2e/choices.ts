import type { RunChoices } from '../../ground/records/run.ts';
import { readOptions } from '../../runner/options.ts';

/** What a run without options chooses. */
export const CHOICES: RunChoices = { ...readOptions([]).choices, pinned: null };
