import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { listSites } from '../../../cache/catalogue.ts';
import {
  DamagedSiteError,
  hostsOf,
  type Resource,
  readManifest,
  type SiteManifest,
  writeSite,
} from '../../../cache/manifest.ts';
import type { Bounce } from '../../../cache/response-headers.ts';
import { PHONE } from '../../../ground/records/device.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const PAGE = Buffer.from('<!doctype html>');

function resource(changes: Partial<Resource> = {}): Resource {
  return {
    url: 'https://www.example.org/',
    method: 'GET',
    status: 200,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: 'bodies/0000.html',
    contentEncoding: null,
    wireBytes: PAGE.length,
    decodedBytes: PAGE.length,
    sha256: createHash('sha256').update(PAGE).digest('hex'),
    ...changes,
  };
}

function manifest(changes: Partial<SiteManifest> = {}): SiteManifest {
  return {
    formatVersion: 1,
    site: 'www.example.org',
    url: 'https://www.example.org/',
    source: 'a page made for this test',
    kind: 'imported',
    complete: true,
    resources: [resource()],
    ...changes,
  };
}

const BOUNCE: Bounce = {
  cookie: 'session',
  status: 302,
  headers: [['location', 'https://sso.test/']],
  waitMs: 5,
};

const EMPTY = { body: null, wireBytes: 0, decodedBytes: 0, sha256: null };

async function writtenSite(t: TestContext): Promise<string> {
  const folder = path.join(temporaryFolder(t), 'www.example.org');
  await writeSite(folder, manifest(), new Map([['bodies/0000.html', PAGE]]));
  return folder;
}

describe('a manifest', () => {
  it('is read as it was written', async (t) => {
    const folder = await writtenSite(t);
    assert.deepEqual(await readManifest(folder), manifest());
  });

  it('replaces an older site as a whole and leaves nothing half written', async (t) => {
    const folder = await writtenSite(t);
    const moved = resource({ body: 'bodies/page.html' });
    const bodies = new Map([['bodies/page.html', PAGE]]);
    await writeSite(folder, manifest({ resources: [moved] }), bodies);
    assert.deepEqual(readdirSync(path.join(folder, 'bodies')), ['page.html']);
    assert.deepEqual(readdirSync(path.dirname(folder)), ['www.example.org']);
  });

  it('is whole when two writers of one process write at once, with nothing else left', async (t) => {
    const folder = path.join(temporaryFolder(t), 'www.example.org');
    const fillers = [...Array(100).keys()].map((n) =>
      resource({ url: `https://www.example.org/${n}`, body: `bodies/${n}.html` }),
    );
    const resources = [resource(), ...fillers];
    const bodies = new Map(resources.map(({ body }) => [`${body}`, PAGE]));
    await Promise.all([
      writeSite(folder, manifest({ resources }), bodies),
      writeSite(folder, manifest(), new Map([['bodies/0000.html', PAGE]])),
    ]);
    assert.deepEqual(await readManifest(folder), manifest({ resources }));
    assert.deepEqual(readdirSync(path.dirname(folder)), ['www.example.org']);
  });

  it('is restored by the next reader or lister after a killed writer moved it aside', async (t) => {
    const { pid: killed } = spawnSync('true');
    const folder = await writtenSite(t);
    const sites = path.dirname(folder);
    const aside = `${folder}~unfinished-${killed}-1-replaced`;
    renameSync(folder, aside);
    assert.deepEqual(await readManifest(folder), manifest());
    renameSync(folder, aside);
    assert.deepEqual(listSites(sites), ['www.example.org']);
    assert.deepEqual(readdirSync(sites), ['www.example.org']);
  });

  it('is left to another process that is replacing it', async (t) => {
    const folder = await writtenSite(t);
    const aside = `${folder}~unfinished-${process.ppid}-1-replaced`;
    renameSync(folder, aside);
    assert.deepEqual(listSites(path.dirname(folder)), []);
    assert.ok(existsSync(aside));
  });

  it('is named if it is missing', async (t) => {
    const folder = path.join(temporaryFolder(t), 'www.example.org');
    await assert.rejects(readManifest(folder), damaged(path.join(folder, 'index.json'), /missing/));
  });

  it('is named if it is not JSON', async (t) => {
    const folder = await writtenSite(t);
    const file = path.join(folder, 'index.json');
    writeFileSync(file, '{"formatVersion":1,');
    await assert.rejects(readManifest(folder), damaged(file, /not valid JSON/));
  });

  it('names a missing body and its URL', async (t) => {
    const folder = await writtenSite(t);
    const file = path.join(folder, 'bodies/0000.html');
    rmSync(file);
    await assert.rejects(
      readManifest(folder),
      damaged(file, /body of https:\/\/www\.example\.org\/\) is missing/),
    );
  });

  it('names a truncated body, its size and the expected size', async (t) => {
    const folder = await writtenSite(t);
    const file = path.join(folder, 'bodies/0000.html');
    truncateSync(file, 5);
    await assert.rejects(readManifest(folder), damaged(file, /has 5 bytes, the manifest says 15/));
  });

  it('is rejected with a body that is a link to any target', async (t) => {
    const folder = await writtenSite(t);
    const file = path.join(folder, 'bodies/0000.html');
    const outside = path.join(path.dirname(folder), 'outside.html');
    renameSync(file, outside);
    symlinkSync(outside, file);
    await assert.rejects(readManifest(folder), damaged(file, /is a link or a folder/));
  });

  it('is rejected if its bodies lie in a folder that is a link', async (t) => {
    const folder = await writtenSite(t);
    const bodies = path.join(folder, 'bodies');
    const outside = path.join(path.dirname(folder), 'outside');
    renameSync(bodies, outside);
    symlinkSync(outside, bodies);
    await assert.rejects(readManifest(folder), damaged(bodies, /is a link/));
  });

  it('may lie in a linked folder: that link belongs to its user', async (t) => {
    const folder = await writtenSite(t);
    const link = path.join(path.dirname(folder), 'link');
    symlinkSync(folder, link);
    assert.deepEqual(await readManifest(link), manifest());
  });

  it('may have the tests of its hosts for HTTP/3', async (t) => {
    const folder = path.join(temporaryFolder(t), 'www.example.org');
    const tested = manifest({
      http3: { 'www.example.org': { announcedBy: ['alt-svc', 'https-record'], refusal: 'silent' } },
    });
    await writeSite(folder, tested, new Map([['bodies/0000.html', PAGE]]));
    assert.deepEqual(await readManifest(folder), tested);
  });

  it('may have the device that recorded it', async (t) => {
    const folder = path.join(temporaryFolder(t), 'www.example.org');
    const onPhone = manifest({ kind: 'recorded', device: PHONE });
    await writeSite(folder, onPhone, new Map([['bodies/0000.html', PAGE]]));
    assert.deepEqual(await readManifest(folder), onPhone);
  });

  it('may have bounces', async (t) => {
    const folder = path.join(temporaryFolder(t), 'www.example.org');
    const bounced = manifest({ complete: false, resources: [resource({ bounces: [BOUNCE] })] });
    await writeSite(folder, bounced, new Map([['bodies/0000.html', PAGE]]));
    assert.deepEqual(await readManifest(folder), bounced);
  });

  it('has the hosts in the order of appearance, the document first', () => {
    const image = (url: string) => resource({ url, type: 'image', ...EMPTY });
    const resources = [
      image('https://b.test/1'),
      image('https://a.test/2'),
      resource(),
      image('https://b.test/3'),
    ];
    assert.deepEqual(hostsOf(manifest({ resources })), ['www.example.org', 'b.test', 'a.test']);
  });
});

const http3 = (tests: object) => ({ ...manifest(), http3: tests });

describe('a damaged manifest', () => {
  const damages: [string, unknown, RegExp][] = [
    ['is not an object', null, /not an object/],
    ['has another version', { ...manifest(), formatVersion: 2 }, /formatVersion is 2/],
    ['has no site', { ...manifest(), site: '' }, /site is missing/],
    ['has no source', { ...manifest(), source: undefined }, /source is missing/],
    ['has an unknown kind', { ...manifest(), kind: 'invented' }, /kind is invented/],
    ['does not say whether it is complete', { ...manifest(), complete: 'yes' }, /complete/],
    ['has no resources', { ...manifest(), resources: {} }, /resources is missing/],
    ['has no document', manifest({ resources: [] }), /no resource has the document's url/],
    ['has a URL twice', manifest({ resources: [resource(), resource()] }), /appears twice/],
    ['has no date', { ...manifest(), recordedAt: 'yesterday' }, /recordedAt is "yesterday"/],
    ['has a date without a time', { ...manifest(), recordedAt: '2026-11-21' }, /recordedAt is/],
    ['was imported from a number', { ...manifest(), importedFrom: 7 }, /importedFrom is 7/],
    ['has no addresses', { ...manifest(), addresses: { a: 7 } }, /addresses does not give/],
    [
      'answers more than the request',
      { ...manifest(), requests: { recorded: 1, answered: 2 } },
      /requests is {"recorded":1,"answered":2}/,
    ],
    ['has no counts of requests', { ...manifest(), requests: [] }, /requests is \[\]/],
    ...[null, 'phone', { ...PHONE, widthPx: 10_001 }, { ...PHONE, heightPx: 9.5 }].map(
      (device): [string, unknown, RegExp] => [
        `has the device ${JSON.stringify(device)}`,
        { ...manifest(), device },
        /device is .*, expected widthPx/,
      ],
    ),
    [
      'has a device without a ratio',
      { ...manifest(), device: { ...PHONE, pixelRatio: 0 } },
      /device/,
    ],
    ['has half a device', { ...manifest(), device: { ...PHONE, mobile: undefined } }, /device is/],
    [
      'is complete, and has a bounce',
      manifest({ resources: [resource({ bounces: [BOUNCE] })] }),
      /bounces of a complete site/,
    ],
    [
      'has no object of tests for HTTP/3',
      { ...manifest(), http3: ['a'] },
      /http3 is not an object/,
    ],
    ['has null for a test', http3({ 'www.example.org': null }), /announcedBy is not a list/],
    [
      'has an unknown announcement',
      http3({ 'www.example.org': { announcedBy: ['rumour'], refusal: null } }),
      /http3 of www\.example\.org: announcedBy is not a list of alt-svc and https-record/,
    ],
    [
      'has an announcement twice',
      http3({ 'www.example.org': { announcedBy: ['alt-svc', 'alt-svc'], refusal: null } }),
      /announcedBy is not a list/,
    ],
    [
      'has an endless refusal',
      http3({ 'www.example.org': { announcedBy: [], refusal: 'x'.repeat(501) } }),
      /refusal is not null or a text of at most 500 characters/,
    ],
    [
      'has no refusal',
      http3({ 'www.example.org': { announcedBy: [] } }),
      /refusal is not null or a text/,
    ],
    [
      'tests a host of another site',
      http3({ 'b.test': { announcedBy: [], refusal: null } }),
      /http3 has b\.test, which is not a host of the site/,
    ],
    ['has null for a resource', { ...manifest(), resources: [null] }, /not an object/],
    ...resourceDamages(),
  ];
  for (const [name, content, message] of damages) {
    it(`is named with its problem if it ${name}`, async (t) => {
      const folder = await writtenSite(t);
      const file = path.join(folder, 'index.json');
      writeFileSync(file, JSON.stringify(content));
      await assert.rejects(readManifest(folder), damaged(file, message));
    });
  }

  it('does not replace an existing one, and leaves nothing behind', async (t) => {
    const folder = await writtenSite(t);
    // A body's path that cannot be written to: the folder in it does not exist.
    const bodies = new Map([['bodies/none/0000.html', PAGE]]);
    await assert.rejects(writeSite(folder, manifest(), bodies), /ENOENT/);
    assert.deepEqual(await readManifest(folder), manifest());
    assert.deepEqual(readdirSync(path.dirname(folder)), ['www.example.org']);
  });

  it('is not written', async (t) => {
    const folder = path.join(temporaryFolder(t), 'www.example.org');
    await assert.rejects(writeSite(folder, manifest({ resources: [] }), new Map()), /no resource/);
    assert.ok(!existsSync(folder));
  });
});

function resourceDamages(): [string, unknown, RegExp][] {
  const damages: [string, Partial<Record<keyof Resource, unknown>>, RegExp][] = [
    ['has no URL', { url: 'index.html' }, /url is not a URL/],
    ['has a URL without TLS', { url: 'http://www.example.org/' }, /not a normalised https URL/],
    ['has a fragment', { url: 'https://www.example.org/#a' }, /not a normalised https URL/],
    ['has another method', { method: 'PUT' }, /method is PUT/],
    ['has an impossible status', { status: 99 }, /status is 99/],
    ['has an unknown type', { type: 'film' }, /type is film/],
    ['has no headers', { headers: undefined }, /headers is missing/],
    ['has a header in capitals', { headers: [['Vary', '*']] }, /Vary is not lower case/],
    ['has a header of two lines', { headers: [['vary', 'a\r\nb: c']] }, /not printable ASCII/],
    ['has a header of the server', { headers: [['date', 'now']] }, /date belongs to the server/],
    ['has an invalid header', { headers: [7] }, /a header is not a pair/],
    ['has a wait below zero', { waitMs: -1 }, /waitMs is -1/],
    ['has two codings', { contentEncoding: 'gzip' }, /contentEncoding is gzip/],
    ['has no size', { wireBytes: undefined }, /wireBytes is missing/],
    ['has a body elsewhere', { body: 'bodies/../../etc/passwd' }, /not a plain file name/],
    ['has a hidden body', { body: 'bodies/.profile' }, /not a plain file name/],
    ['has no hash', { sha256: null }, /sha256 is missing/],
    ['has a size but no body', { body: null }, /wireBytes without a body/],
    ['has a bounce, and no list of them', { bounces: BOUNCE }, /bounces is no list/],
    ['has a bounce of a POST', { method: 'POST', bounces: [BOUNCE] }, /bounces is .* of a POST/],
    ['has null for a bounce', { bounces: [BOUNCE, null] }, /bounces\[1\]: cookie is/],
    ['has a bounce by no cookie', bounce({ cookie: 'a=1' }), /bounces\[0\]: cookie is a=1/],
    ['has an invalid bounce', bounce({ status: 304 }), /bounces\[0\]: status is 304/],
    [
      'has a bounce to nowhere',
      bounce({ headers: [] }),
      /bounces\[0\]: header location is missing/,
    ],
    ['has a bounce without headers', bounce({ headers: undefined }), /headers is missing/],
    [
      'has a bounce with a coding',
      bounce({ headers: [...BOUNCE.headers, ['content-encoding', 'br']] }),
      /bounces\[0\]: header content-encoding without a body/,
    ],
    ['has a bounce before its request', bounce({ waitMs: -1 }), /bounces\[0\]: waitMs is -1/],
  ];
  return damages.map(([name, changes, message]) => {
    const broken = { ...resource(), ...changes } as Resource;
    return [`has a resource that ${name}`, manifest({ resources: [broken] }), message];
  });
}

function bounce(changes: Partial<Record<keyof Bounce, unknown>>) {
  return { bounces: [{ ...BOUNCE, ...changes }] };
}

function damaged(file: string, message: RegExp): (error: Error) => boolean {
  return (error) => {
    assert.ok(error instanceof DamagedSiteError, String(error));
    assert.ok(error.message.startsWith(file), error.message);
    assert.match(error.message, message);
    assert.match(error.message, /npm run setup/);
    return true;
  };
}
