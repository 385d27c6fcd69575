import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../ground/system/project-folder.ts';
import { withWritten } from '../ground/system/written-part.ts';
import { withSynopsis } from '../runner/command-line/synopsis.ts';
import { documentationOf } from '../studies/is-quic-faster/documentation.ts';
import { readResults } from '../studies/is-quic-faster/result.ts';
import { loadTools } from '../tools/index.ts';
import { reference } from './reference.ts';

// Writes those parts of the documentation that derive from tables and schemas in the code, and from results that are kept.
const readme = path.join(projectFolder, 'README.md');
writeFileSync(readme, withSynopsis(readFileSync(readme, 'utf8'), await loadTools()));
writeFileSync(path.join(projectFolder, 'results', 'reference.md'), reference());

const { text, figures } = documentationOf(readResults());
const page = path.join(projectFolder, 'docs', 'is-quic-faster.md');
writeFileSync(page, withWritten(readFileSync(page, 'utf8'), text));
for (const { file, svg } of figures) writeFileSync(path.join(projectFolder, 'docs', file), svg);
