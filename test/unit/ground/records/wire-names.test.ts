import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import names from '../../../../ground/records/wire-names.json' with { type: 'json' };
import { alertName, HTTP3_ERRORS } from '../../../../ground/records/wire-names.ts';
import { root, shippedFiles } from '../../shipped-files.ts';

test('names an alert as in the registry, or by its number', () => {
  assert.deepEqual([40, 70, 80, 112, 121, 255].map(alertName), [
    'handshake_failure',
    'protocol_version',
    'internal_error',
    'unrecognized_name',
    'ech_required',
    'alert_255',
  ]);
});

test('reads numbers in hexadecimal digits', () => {
  assert.equal(HTTP3_ERRORS[267], 'H3_REQUEST_REJECTED');
});

test('no program has a second table of these names', () => {
  const tables = Object.values(names).map((table) => Object.values<string>(table));
  const copies = shippedFiles('{ts,mjs,js,py,go,lua,c,h}').filter((file) => {
    const words = new Set(readFileSync(path.join(root, file), 'utf8').match(/\w+/g));
    // Two names at once are a condition, more are a table.
    return tables.some((table) => table.filter((name) => words.has(name)).length > 2);
  });
  assert.deepEqual(copies, []);
});
