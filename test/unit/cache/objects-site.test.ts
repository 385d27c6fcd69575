import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readManifest } from '../../../cache/manifest.ts';
import { objectsSite } from '../../../cache/objects-site.ts';
import { problemsOfSite } from '../../../cache/verification.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

test("names all objects in the document, in order and before all else, with each one's size", () =>
  withTemporaryFolder(async (sites) => {
    const page = { objects: 3, objectBytes: 2000, documentBytes: 50_000 };
    const folder = await objectsSite('long', page, sites);
    assert.deepEqual(await problemsOfSite(folder), []);
    const { resources, url, kind, complete } = await readManifest(folder);
    assert.deepEqual([kind, complete], ['generated', true]);
    const [document, ...images] = resources;
    assert.deepEqual([document?.url, document?.wireBytes], [url, 50_000]);
    assert.deepEqual(
      images.map(({ wireBytes, type }) => [wireBytes, type]),
      Array.from({ length: 3 }, () => [2000, 'image']),
    );
    const html = await readFile(path.join(folder, document?.body ?? ''), 'latin1');
    const named = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, source]) => source);
    assert.deepEqual(
      named,
      images.map((image) => new URL(image.url).pathname),
    );
    assert.ok(html.lastIndexOf('<img') < 1000);
    // Equal in size alone.
    assert.equal(new Set(images.map(({ sha256 }) => sha256)).size, 3);
  }));

test('ends the document with the last object without a size of its own, and makes a page once', () =>
  withTemporaryFolder(async (sites) => {
    const page = { objects: 2, objectBytes: 100, documentBytes: null };
    const folder = await objectsSite('short', page, sites);
    const { resources } = await readManifest(folder);
    const html = await readFile(path.join(folder, resources[0]?.body ?? ''), 'latin1');
    assert.match(html, /<img [^>]+>\n$/);
    assert.equal(await objectsSite('short', { ...page, objects: 9 }, sites), folder);
    assert.equal((await readManifest(folder)).resources.length, 3);
  }));
