import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSynopsis } from '../options/synopsis.ts';

/** Writes those parts of the documentation that derive from tables in the code. */
const README = path.join(import.meta.dirname, '..', 'README.md');

writeFileSync(README, withSynopsis(readFileSync(README, 'utf8')));
