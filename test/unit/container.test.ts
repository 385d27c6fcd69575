import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { NODE } from '../../ground/system/folders.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const linesOf = (file: string) =>
  textOf(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const recipe = textOf('setup/container/Containerfile');

function argumentOf(instruction: string): string {
  const [, argument] = new RegExp(`^${instruction} (.*)$`, 'm').exec(recipe) ?? [];
  assert.ok(argument, `the recipe has no ${instruction}`);
  return argument;
}

test('the image runs a program and scripts that the project has', () => {
  const [program, file] = JSON.parse(argumentOf('ENTRYPOINT')) as string[];
  assert.equal(program, 'node');
  assert.ok(existsSync(path.join(root, file ?? '')), `${file} is not there`);
  const scripts = [...recipe.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
  assert.deepEqual(scripts, ['setup']);
  const { scripts: known } = JSON.parse(textOf('package.json'));
  for (const name of [...scripts, ...JSON.parse(argumentOf('CMD'))]) assert.ok(known[name], name);
});

test("the image has the project's Node, which set-up then finds", () => {
  const [, major] = /node:(\d+)/.exec(argumentOf('FROM')) ?? [];
  assert.equal(major, JSON.parse(textOf('package.json')).optionalDependencies[NODE].split('.')[0]);
  assert.match(argumentOf('ENV'), new RegExp(`^PATH=${argumentOf('WORKDIR')}/node_modules/.bin:`));
});

test('the documentation builds by the recipe, and mounts the results of the folder to which it copies', () => {
  const page = textOf('docs/how-to/container.md');
  assert.match(page, /podman build .*-f setup\/container\/Containerfile \./);
  const mounts = [...page.matchAll(/-v \.\/results:(\S+)/g)].map(([, to]) => to);
  assert.deepEqual([...new Set(mounts)], [`${argumentOf('WORKDIR')}/results`]);
});

test('nothing that set-up, tests and runs make on this machine is copied into the image', () => {
  const left = new Set(linesOf('.dockerignore').map((line) => line.replace('**/', '')));
  const copied = linesOf('.gitignore').filter((line) => !left.has(line));
  assert.deepEqual(copied, []);
  assert.ok(left.has('.git'));
});
