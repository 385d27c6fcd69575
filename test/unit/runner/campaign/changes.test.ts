import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesSince, differing, machineName } from '../../../../runner/campaign/invocation.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

const { run } = fixtureRun({ repetitions: 1 });
const HERE = [{ machine: machineName() }];

test('finds no change on the same machine with the same versions, with any free memory or load', () => {
  assert.deepEqual(changesSince(run, HERE, run), []);
});

test('reports each changed, new or missing version in a sentence', () => {
  const { bun: _, ...rest } = { ...run.versions, bun: '1.4.5' };
  const now = { ...run, versions: { ...rest, chromium: '999.0', added: '1' } };
  const before = { ...run, versions: { ...run.versions, bun: '1.4.5' } };
  const changes = changesSince(before, HERE, now);
  assert.equal(changes.length, 3);
  const text = changes.join('\n');
  assert.match(text, new RegExp(`^chromium is 999\\.0; it was ${run.versions.chromium}\\.$`, 'm'));
  assert.match(text, /^bun is not there; it was 1\.4\.5\.$/m);
  assert.match(text, /^added is 1; it was not there\.$/m);
});

test('reports another commit or other local changes, also of an older record', () => {
  const [own, other] = ['1a2b3c4d5e', '5e4d3c2b1a'].map((part) => part.repeat(4));
  const at = (commit?: string | null, dirty: boolean | null = false) => ({
    ...run,
    revision: commit === undefined ? undefined : { commit, dirty },
  });
  assert.deepEqual(changesSince(at(own), HERE, at(other)), [
    'quic-vs-https is 0.1.0 (commit 5e4d3c2b1a5e); it was 0.1.0 (commit 1a2b3c4d5e1a).',
  ]);
  assert.deepEqual(changesSince(at(own), HERE, at(own, true)), [
    'quic-vs-https is 0.1.0 (commit 1a2b3c4d5e1a, with local changes); it was 0.1.0 (commit 1a2b3c4d5e1a).',
  ]);
  assert.deepEqual(changesSince(at(), HERE, at(own)), [
    'quic-vs-https is 0.1.0 (commit 1a2b3c4d5e1a); it was 0.1.0 (commit unknown).',
  ]);
  assert.deepEqual(changesSince(at(), HERE, at(null, null)), []);
});

test('names another machine, and its differences', () => {
  const now = { ...run, host: { ...run.host, kernel: 'other', cores: 64 } };
  const [machine, ...rest] = changesSince(run, [{ machine: 'bench-1a2b3c' }], now);
  assert.match(machine ?? '', /^The machine is .*; it was bench-1a2b3c\.$/);
  assert.deepEqual(rest, [
    `kernel is other; it was ${run.host.kernel}.`,
    `cores is 64; it was ${run.host.cores}.`,
  ]);
});

test('compares values by their contents', () => {
  assert.deepEqual(differing({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), []);
  assert.deepEqual(differing({ a: [1] }, { a: [2] }), ['a is [2]; it was [1].']);
});
