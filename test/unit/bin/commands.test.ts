import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { IMPORT_FORMATS } from '../../../cache/importers/index.ts';
import type { CommandRow } from '../../../ground/options/command.ts';
import { measuringCommands } from '../../../runner/command-line/commands.ts';
import { withSynopsis } from '../../../runner/command-line/synopsis.ts';
import { loadTools } from '../../../tools/index.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

const TOOLS = await loadTools();

const ROWS = Object.entries<CommandRow>({ ...measuringCommands(), ...TOOLS });

function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

test('every command is an npm script, which the program of a package starts too', () => {
  const { scripts, bin } = JSON.parse(textOf('package.json'));
  assert.equal(bin['quic-vs-https'], 'bin/quic-vs-https.mjs');
  for (const [name] of ROWS) {
    assert.ok(scripts[name], `package.json has no script ${name}`);
    const [node, ...words] = scripts[name].split(' ');
    assert.equal(node, 'node');
    assert.deepEqual(
      words.filter((word: string) => !word.startsWith('--')),
      ['bin/start.mjs', name],
    );
  }
});

const OPTIONS_PAGE = path.join('docs', 'reference', 'options.md');

test('the page of options matches the output of npm run docs', () => {
  const page = textOf(OPTIONS_PAGE);
  assert.equal(page, withSynopsis(page, TOOLS));
});

test('the page of options lists the options of each command, and shared ones once', () => {
  const paragraphs = textOf(OPTIONS_PAGE).split('\n# ');
  const optionsIn = (start: string) => {
    const found = paragraphs.find((paragraph) => paragraph.includes(`\n${start}`)) ?? '';
    return [...found.matchAll(/\[--([\w-]+)/g)].map(([, name]) => name);
  };
  const shared = optionsIn('RUN-OPTIONS:');
  assert.ok(shared.length > 0);
  for (const [name, { options }] of Object.entries(measuringCommands())) {
    const own = optionsIn(`npm run ${name} --`);
    assert.deepEqual([...own, ...shared].sort(), Object.keys(options).sort(), name);
  }
});

test('a page without a marker for the options is rejected', () => {
  assert.throws(() => withSynopsis('# Title\n', TOOLS), /no place for what is written/);
});

test('every default of every command is a valid value of the option', () => {
  for (const [command, { options }] of ROWS) {
    for (const [name, { argument, byDefault, read }] of Object.entries(options)) {
      const which = `${command} --${name}`;
      if (argument === null) assert.equal(byDefault, false, which);
      else if (byDefault !== undefined) {
        assert.deepEqual(read(name, String(byDefault)), byDefault, which);
      }
    }
  }
});

test('the help of import names every format that can be imported', () => {
  const [{ help = '' } = {}] = TOOLS.import?.operands ?? [];
  for (const { format } of IMPORT_FORMATS) assert.match(help, new RegExp(format, 'i'));
});
