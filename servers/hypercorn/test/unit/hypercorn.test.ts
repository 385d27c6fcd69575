import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../../../ground/system/folders.mjs';

/** Package to version, of a runtime in Python. */
function pinned(runtime: string): Map<string, string> {
  const file = path.join(projectFolder, 'servers', runtime, 'requirements.txt');
  const lines = readFileSync(file, 'utf8').matchAll(/^(\S+)==(\S+) \\$/gm);
  return new Map([...lines].map(([, name = '', version = '']) => [name, version]));
}

test('uses the same Flask and dependencies under gunicorn and under hypercorn', () => {
  const [gunicorn, hypercorn] = [pinned('flask'), pinned('hypercorn')];
  const shared = [...gunicorn].filter(([name]) => hypercorn.has(name));
  assert.ok(['flask', 'werkzeug'].every((name) => shared.some(([each]) => each === name)));
  for (const [name, version] of shared) assert.equal(hypercorn.get(name), version, name);
});
