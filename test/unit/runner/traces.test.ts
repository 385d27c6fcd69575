import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Trace } from '../../../ground/records/trace.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import { readTraces, tracesFolderOf, writeTraces } from '../../../runner/traces.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function traceOf(name: string, text: string): Trace {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { name, sha256, meanKbps: 100, durationMs: 10, bytes: Buffer.from(text) };
}

const DOWN = traceOf('a.down', '5\n10\n');
const UP = traceOf('a.up', '10\n');
const NETWORKS = [
  NOTHING_ADDED,
  { ...NOTHING_ADDED, name: 'both', trace: DOWN, traceUp: UP },
  { ...NOTHING_ADDED, name: 'down', trace: DOWN },
];

test('keeps recorded links by name, and reads each once for its conditions', async (t) => {
  const folder = path.join(temporaryFolder(t), 'traces');
  await writeTraces(folder, [DOWN, UP]);
  assert.equal(readFileSync(path.join(folder, 'a.down'), 'latin1'), '5\n10\n');
  assert.deepEqual(readTraces(folder, NETWORKS, '--resume a'), [DOWN, UP]);
  assert.deepEqual(readTraces(folder, [NOTHING_ADDED], '--resume a'), []);
});

test('overwrites no file with another one, and accepts the same one', async (t) => {
  const folder = temporaryFolder(t);
  await writeTraces(folder, [DOWN]);
  await writeTraces(folder, [DOWN]);
  await assert.rejects(writeTraces(folder, [traceOf('a.down', '7\n')]), {
    name: UsageError.name,
    message: /a\.down exists and is another recorded link/,
  });
  assert.equal(readFileSync(path.join(folder, 'a.down'), 'latin1'), '5\n10\n');
});

test('reports a missing or changed recorded link, with what depends on it', async (t) => {
  const folder = temporaryFolder(t);
  await writeTraces(folder, [DOWN, UP]);
  writeFileSync(path.join(folder, 'a.up'), '11\n');
  assert.throws(() => readTraces(folder, NETWORKS, '--resume a'), {
    message: /^--resume a: the recorded link .*a\.up has changed since the plan was made/,
  });
  rmSync(path.join(folder, 'a.down'));
  assert.throws(() => readTraces(folder, NETWORKS, '--plan p.json'), {
    message: /^--plan p\.json: the recorded link .*a\.down is missing/,
  });
});

test('puts the links of a frozen plan next to it', () => {
  assert.equal(tracesFolderOf('/a/plan.json'), '/a/traces');
});
