import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './shipped-files.ts';

const sourceOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

const [, section = ''] =
  /\n## The way of one page load\n([\s\S]*?)\n## /.exec(sourceOf('CONTRIBUTING.md')) ?? [];
const [, drawing = ''] = /```text\n([\s\S]*?)```/.exec(section) ?? [];

/** A line of the drawing, with its callers. */
interface Step {
  file: string;
  name: string;
  callers: readonly Step[];
}

function steps(): Step[] {
  const above: Step[] = [];
  return drawing
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent, file, name] = /^( *)(\S+\.ts) {2}(\w+) {2}\S/.exec(line) ?? [];
      assert.ok(
        indent !== undefined && file && name,
        `not a file, a function and what goes in: ${line}`,
      );
      const depth = indent.length / 2;
      const callers = above.slice(0, depth);
      assert.equal(callers.length, depth, `nothing calls ${line}`);
      const step = { file, name, callers };
      above.splice(depth, above.length, step);
      return step;
    });
}

test('every file and function of the drawing in CONTRIBUTING.md exists', () => {
  const all = steps();
  assert.ok(all.length > 20);
  for (const { file, name } of all) {
    assert.ok(existsSync(path.join(root, file)), file);
    assert.match(sourceOf(file), new RegExp(`\\bfunction ${name}\\b`), `${file}: ${name}`);
  }
});

test('every function of the drawing is named by a file of its callers, or its file is loaded by one', () => {
  for (const { file, name, callers } of steps()) {
    const word = new RegExp(`\\b${name}\\b`, 'g');
    const loads = new RegExp(`import\\(\`[^\`]*/${path.basename(file)}\`\\)`);
    const isNamed = callers.some((caller) => {
      const source = sourceOf(caller.file);
      const times = source.match(word)?.length ?? 0;
      // The single mention in its own file is its declaration.
      return times > (caller.file === file ? 1 : 0) || loads.test(source);
    });
    assert.ok(callers.length === 0 || isNamed, `${file}: nothing above calls ${name}`);
  }
});

test('a load has at most five types and three contexts, which exist', () => {
  const [, types = '', contexts = ''] =
    /five types on this way:([\s\S]*)three\ncontexts:([\s\S]*)/.exec(section) ?? [];
  for (const [text, most] of [
    [types, 5],
    [contexts, 3],
  ] as const) {
    const named = [...text.matchAll(/`(\w+)`\s+\(`(\S+\.ts)`\)/g)];
    assert.equal(named.length, most);
    for (const [, name, file] of named) {
      assert.match(
        sourceOf(file as string),
        new RegExp(`export (interface|type) ${name}\\b`),
        name,
      );
    }
  }
});
