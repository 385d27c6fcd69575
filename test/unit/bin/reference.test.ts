import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type FieldSchema, fieldsOf, reference } from '../../../bin/reference.ts';
import { withStudies } from '../../../bin/study-list.ts';
import { allExperiments } from '../../../experiments/index.ts';
import { assertEach } from '../assert-each.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

test('results/reference.md has the fields of the schemas: npm run docs writes it', () => {
  assert.equal(readFileSync(path.join(root, 'results', 'reference.md'), 'utf8'), reference());
});

test('docs/reference/studies.md lists every study: npm run docs writes it', () => {
  const page = readFileSync(path.join(root, 'docs', 'reference', 'studies.md'), 'utf8');
  assert.equal(withStudies(page), page);
});

test('the reference names every metric of every experiment', () => {
  const page = reference();
  for (const { name } of allExperiments().flatMap(({ metrics }) => metrics)) {
    assert.ok(page.includes(`| \`${name}\` |`), name);
  }
});

test('every field of every record has a type and a description', () => {
  const empty = reference()
    .split('\n')
    .filter((line) => /^\| `.*\|\s+\|/.test(line));
  assert.deepEqual(empty, []);
});

const typesOf = (schema: FieldSchema) =>
  Object.fromEntries(fieldsOf(schema).map(({ path, type }) => [path, type]));

test('nested fields are listed with their path, their unit, and whether they may be missing or null', () => {
  const schema = {
    required: ['loads', 'stepsMs'],
    properties: {
      loads: {
        type: 'array',
        items: {
          type: 'object',
          required: ['outcome'],
          properties: {
            outcome: { enum: ['ok', 'failed', null] },
            rttMs: { type: ['number', 'null'] },
          },
        },
      },
      stepsMs: { type: 'object', additionalProperties: { type: 'number' } },
      tcpMss: { properties: { value: { type: 'integer' }, from: { type: 'string' } } },
    },
  };
  assert.deepEqual(typesOf(schema), {
    loads: 'list of object',
    'loads[].outcome': '`ok`, `failed` or null',
    'loads[].rttMs': 'number or null, ms, optional',
    stepsMs: 'map to number, ms',
    tcpMss: 'reading of integer, optional',
  });
});

test('an object is described once and then referred to', () => {
  const end = {
    properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
  };
  const fields = fieldsOf({ properties: { client: end, server: end } });
  assertEach(fields, ({ path }) => path, ['client', 'client.a', 'client.b', 'client.c', 'server']);
  assert.equal(fields.at(-1)?.description, 'Fields as in `client`.');
});
