import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandRow } from '../../ground/options/command.ts';
import { measuringCommands } from '../../runner/command-line/commands.ts';
import { loadTools } from '../../tools/index.ts';
import { ACTION } from '../action-run.ts';
import { readYaml } from '../yaml.ts';
import { root } from './shipped-files.ts';

const COMMANDS: Readonly<Record<string, CommandRow>> = {
  ...measuringCommands(),
  ...(await loadTools()),
};

/** Options in commands of this project that the commands do not have, as `report --history`. */
function unknownOptions(text: string): string[] {
  const commands = text
    .replaceAll(/\\?\n\s+(?=--)/g, ' ')
    .matchAll(/(?:npm run (?:--prefix \S+ )?|quic-vs-https\.ts )([\w-]+)(?: -- | )([^\n`#|&;]*)/g);
  return [...commands].flatMap(([, name = '', words = '']) => {
    const known = COMMANDS[name];
    if (!known) return [];
    // What follows is a command of the user's.
    const [own = ''] = words.split(' -- ');
    return [...own.matchAll(/(?<![\w-])--([a-z][\w-]*)/g)].flatMap(([, option = '']) =>
      option === 'help' || option in known.options ? [] : `${name} --${option}`,
    );
  });
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

for (const file of globSync('docs/recipes/*.{yml,yaml}', { cwd: root }).toSorted()) {
  test(`${file} is YAML, and its commands have the options that it uses`, () => {
    const texts = textsOf(readYaml(readFileSync(path.join(root, file), 'utf8')));
    assert.deepEqual(texts.flatMap(unknownOptions), []);
  });
}

test('commands in pages have the options that the pages show', () => {
  const pages = globSync(['*.md', '!(node_modules|.venv|results)/**/*.md'], { cwd: root }).filter(
    (page) => !page.includes('node_modules'),
  );
  assert.ok(pages.length > 50);
  const found = pages.flatMap((page) =>
    unknownOptions(readFileSync(path.join(root, page), 'utf8')).map((each) => `${page}: ${each}`),
  );
  assert.deepEqual(found, []);
});

test('finds an option that a command does not have', () => {
  assert.deepEqual(unknownOptions('npm run benchmark -- --rtt 0 --no-such 1 | less --x'), [
    'benchmark --no-such',
  ]);
  assert.deepEqual(unknownOptions('npm run --prefix a report -- --no\n  --such'), [
    'report --no',
    'report --such',
  ]);
});

test('the recipe for pull requests uses inputs and outputs that the action has', () => {
  const text = readFileSync(path.join(root, 'docs/recipes/github-pull-request.yml'), 'utf8');
  const workflow = readYaml(text) as {
    jobs: { compare: { steps: { id?: string; with?: Record<string, string> }[] } };
  };
  const step = workflow.jobs.compare.steps.find(({ id }) => id === 'compare');
  for (const name of Object.keys(step?.with ?? {})) assert.ok(name in ACTION.inputs, name);
  const outputs = [...text.matchAll(/steps\.compare\.outputs\.(\w+)/g)].map(
    ([, name = '']) => name,
  );
  assert.ok(outputs.length > 0);
  for (const name of outputs) assert.ok(name in ACTION.outputs, name);
});
