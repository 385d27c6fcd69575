import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { partOf, withParts } from './parts-of-run.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../merge/main.ts');

function merge(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
}

/** Two machines' parts of a run in which Flask takes 1.6 times as long as Bun. */
function parts() {
  const options = { sites: ['a.example', 'b.example', 'c.example', 'd.example'], repetitions: 8 };
  return [
    partOf('one', ({ block }) => block <= 4, options),
    partOf('two', ({ block }) => block > 4, options),
  ];
}

test('a rule about a merged run is about all of its parts', () =>
  withParts(parts(), async (folders, out) => {
    const broken = 'flask-h1 slower than bun-h2 by 20%';
    const { status, stdout } = merge(...folders, '--out', out, '--fail-if', broken);
    assert.equal(status, 7, stdout);
    assert.match(stdout, /--fail-if "flask-h1 slower than bun-h2 by 20%": .*Flask.* slower/);
    const kept = merge(
      ...folders,
      '--out',
      `${out}-2`,
      '--fail-if',
      'flask-h1 faster than bun-h2 by 1%',
    );
    assert.equal(kept.status, 0, kept.stderr);
  }));

test('a rule that is none is refused before anything is merged', () =>
  withParts(parts(), async (folders, out) => {
    for (const rule of ['flask-h1 is slow', 'nginx slower than bun-h2 by 5%']) {
      const { status, stderr } = merge(...folders, '--out', out, '--fail-if', rule);
      assert.equal(status, 2);
      assert.match(stderr, /--fail-if/);
      assert.ok(!existsSync(out));
    }
  }));
