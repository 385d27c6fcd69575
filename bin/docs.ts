import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../ground/system/folders.mjs';
import { withSynopsis } from '../runner/command-line/synopsis.ts';
import { STUDIES } from '../studies/index.ts';
import { loadTools } from '../tools/index.ts';
import { reference } from './reference.ts';
import { withStudies } from './study-list.ts';

// Rewrites the parts of the documentation that derive from the code's tables and schemas, and from kept results.
const at = (...names: string[]) => path.join(projectFolder, ...names);
const rewrite = (file: string, written: (text: string) => string) =>
  writeFileSync(file, written(readFileSync(file, 'utf8')));

const tools = await loadTools();
rewrite(at('docs', 'reference', 'options.md'), (page) => withSynopsis(page, tools));
writeFileSync(at('results', 'reference.md'), reference());
rewrite(at('docs', 'reference', 'studies.md'), withStudies);
for (const { name, documents } of STUDIES) {
  for (const { file, content } of (await documents?.()) ?? []) {
    const written = at('studies', name, file);
    mkdirSync(path.dirname(written), { recursive: true });
    writeFileSync(written, content);
  }
}
