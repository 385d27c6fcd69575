import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { generatePage, wantedWireBytes } from '../../../../cache/generator/page.ts';
import {
  hostsOf,
  type Resource,
  readManifest,
  type Site,
  writeSite,
} from '../../../../cache/manifest.ts';
import { readShapes, type ShapeObject } from '../../../../cache/shapes/shapes.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { readShape } from '../shape.ts';

/**
 * Digest of a few sites with every kind of object, redirect and POST. Changes when, and only when,
 * generated pages change.
 */
const GOLDEN_SITES = ['www.example.org', 'www.iana.org', 'www.netflix.com', 'www.taobao.com'];
const GOLDEN_SHA256 = 'ef27493d23ce3527a88152572b2abcb484027074a1ef91b78841da7f3c217f15';

describe('generated pages', () => {
  it('are unchanged byte for byte', () => {
    const hash = createHash('sha256');
    for (const site of GOLDEN_SITES) update(hash, generatePage(readShape(site)));
    assert.equal(hash.digest('hex'), GOLDEN_SHA256);
  });

  it('are the same bytes each time', () => {
    const shape = readShape('www.youtube.com');
    const hashes = [1, 2].map(() => {
      const hash = createHash('sha256');
      update(hash, generatePage(shape));
      return hash.digest('hex');
    });
    assert.equal(hashes[0], hashes[1]);
  });

  it('are written and read back as sites of the cache', async (t) => {
    const folder = temporaryFolder(t);
    const { manifest, bodies } = generatePage(readShape('www.netflix.com'));
    const site = path.join(folder, manifest.site);
    await writeSite(site, manifest, bodies);
    assert.deepEqual(await readManifest(site), manifest);
  });

  it('say that they are generated from the shape of the site in 2018', () => {
    const { manifest, bodies } = generatePage(readShape('www.iana.org'));
    assert.equal(manifest.kind, 'generated');
    assert.equal(manifest.complete, true);
    assert.match(manifest.source, /^generated from the shape of www\.iana\.org in 2018/);
    const html = Buffer.from(bodies.get('bodies/0000.html') ?? []).toString();
    assert.match(html, /<title>Generated from the shape of www\.iana\.org in 2018<\/title>/);
  });
});

for (const shape of readShapes()) {
  describe(`the page of ${shape.site}`, () => {
    const page = generatePage(shape);
    const { resources } = page.manifest;
    const pairs = resources.map((resource, index) => ({
      resource,
      object: shape.objects[index] as ShapeObject,
    }));

    it('has the types, sizes, methods and hosts of the shape, in its order', () => {
      assert.deepEqual(
        pairs.map(({ resource }) => [resource.type, resource.decodedBytes, resource.method]),
        shape.objects.map(({ type, bytes, post }) => [type, bytes, post ? 'POST' : 'GET']),
      );
      const hosts = new Set(shape.objects.map((object) => object.host));
      assert.equal(hostsOf(page.manifest).length, hosts.size);
      for (const { resource, object } of pairs) {
        const { host } = new URL(resource.url);
        if (object.host === 0) assert.equal(host, shape.site);
        else assert.match(host, new RegExp(`^host${object.host}\\.[a-z0-9-]+\\.test$`));
      }
    });

    it('has bodies of the decoded size, and about the size on the wire, of the shape', () => {
      for (const { resource, object } of pairs) {
        const sent = sentBytes(page, resource);
        assert.equal(sent.length, resource.wireBytes);
        assert.equal(decodedBytes(page, resource).length, object.bytes);
        const wanted = wantedWireBytes(object);
        const miss = Math.abs(resource.wireBytes - wanted);
        assert.ok(miss <= Math.max(40, wanted * 0.02), `${resource.url} misses by ${miss} bytes`);
        assert.equal(resource.contentEncoding, wanted < object.bytes ? 'gzip' : null, resource.url);
      }
    });

    it('has scripts and JSON that parse', () => {
      for (const { resource } of pairs) {
        const text = () => decodedBytes(page, resource).toString();
        if (resource.type === 'script') new Script(text());
        if (resource.type === 'xhr' && resource.decodedBytes > 0) JSON.parse(text());
        if (resource.type !== 'document' && resource.type !== 'iframe') continue;
        for (const [, code] of text().matchAll(/<script>(.*?)<\/script>/gs)) {
          new Script(code as string);
        }
      }
    });

    it('refers to every URL but the document exactly once, and to no other', () => {
      const references = new Map<string, number>();
      for (const { resource } of pairs) {
        const texts = ['document', 'iframe', 'script', 'stylesheet'].includes(resource.type)
          ? [decodedBytes(page, resource).toString()]
          : [];
        texts.push(...resource.headers.filter(([name]) => name === 'location').map(([, to]) => to));
        for (const url of texts.flatMap((text) => text.match(/https:\/\/[^")\s]+/g) ?? [])) {
          references.set(url, (references.get(url) ?? 0) + 1);
        }
      }
      const urls = resources.slice(1).map((resource) => resource.url);
      assert.deepEqual([...references.keys()].sort(), urls.sort());
      assert.deepEqual(new Set(references.values()), new Set(urls.length > 0 ? [1] : []));
    });

    it('redirects where the shape does', () => {
      for (const { resource, object } of pairs) {
        const location = resource.headers.some(([name]) => name === 'location');
        assert.equal(location, object.redirect, resource.url);
        assert.equal(resource.status, object.redirect ? 302 : 200, resource.url);
      }
    });
  });
}

function update(hash: ReturnType<typeof createHash>, { manifest, bodies }: Site): void {
  hash.update(JSON.stringify(manifest));
  for (const [name, bytes] of bodies) hash.update(name).update(bytes);
}

function sentBytes(page: Site, resource: Resource): Uint8Array {
  return resource.body === null
    ? new Uint8Array(0)
    : (page.bodies.get(resource.body) as Uint8Array);
}

function decodedBytes(page: Site, resource: Resource): Buffer {
  const sent = sentBytes(page, resource);
  return resource.contentEncoding === 'gzip' ? gunzipSync(sent) : Buffer.from(sent);
}
