import path from 'node:path';
import { allExperiments } from '../experiments/index.ts';
import { projectFolder } from '../ground/system/folders.mjs';
import { replaceGenerated } from '../ground/system/generated-part.ts';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import type { Study } from '../report/study.ts';
import { STUDIES } from '../studies/index.ts';

/** Fills the table of studies and their commands in the text of docs/reference/studies.md. */
export function withStudies(page: string): string {
  return replaceGenerated(
    page,
    ['', '| study | command |', '|---|---|', ...STUDIES.map(rowOf), ''].join('\n'),
  );
}

function rowOf({ name, presets }: Study): string {
  const readme = path.join(projectFolder, 'studies', name, 'README.md');
  const [, heading = name] = /^# (.*)$/m.exec(readPlainTextSync(readme)) ?? [];
  const commands = Object.entries(presets).flatMap(([preset, { of: experiment, about }]) => {
    const command = allExperiments().find((each) => each.name === experiment)?.command;
    // A preset without `about` is one run of a listed series.
    return about === null || !command
      ? []
      : [`\`npm run ${command.name} -- --preset ${shellWord(preset)}\``];
  });
  return `| [${heading}](../../studies/${name}/README.md) | ${commands.join('<br>')} |`;
}
