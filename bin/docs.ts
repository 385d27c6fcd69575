import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSynopsis } from '../options/synopsis.ts';
import { reference } from './reference.ts';

/** Writes those parts of the documentation that derive from tables and schemas in the code. */
const ROOT = path.join(import.meta.dirname, '..');
const README = path.join(ROOT, 'README.md');

writeFileSync(README, withSynopsis(readFileSync(README, 'utf8')));
writeFileSync(path.join(ROOT, 'results', 'reference.md'), reference());
