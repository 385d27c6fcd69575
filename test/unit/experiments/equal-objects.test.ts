import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalObjectsOf } from '../../../experiments/equal-objects.ts';

test("names the number and size of a page's objects, and the size of its document", () => {
  const small = { objects: 100, objectBytes: 10_000, documentBytes: null };
  assert.deepEqual(equalObjectsOf('objects-100x10kB'), small);
  assert.deepEqual(equalObjectsOf('objects-20x1.5kB-in-100kB'), {
    objects: 20,
    objectBytes: 1500,
    documentBytes: 100_000,
  });
  for (const other of ['www.example.org', 'objects-', 'objects-demo', 'my-objects-3x1kB']) {
    assert.equal(equalObjectsOf(other), null, other);
  }
});

test('rejects an impossible page with the possible ones', () => {
  for (const name of [
    'objects-0x1kB',
    'objects-1001x1kB',
    'objects-3x99B',
    'objects-3x20MB',
    'objects-3x1KB',
    'objects-3x1kB-in-much',
    'objects-1000x1MB',
  ]) {
    assert.throws(() => equalObjectsOf(name), /--sites objects-.*objects-100x10kB-in-200kB/, name);
  }
});
