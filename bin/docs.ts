import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSynopsis } from '../options/synopsis.ts';
import { projectFolder } from '../system/project-folder.ts';
import { reference } from './reference.ts';

// Writes those parts of the documentation that derive from tables and schemas in the code.
const readme = path.join(projectFolder, 'README.md');
writeFileSync(readme, withSynopsis(readFileSync(readme, 'utf8')));
writeFileSync(path.join(projectFolder, 'results', 'reference.md'), reference());
