import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readSiteList } from '../../cache/catalogue.ts';
import { siteOfDash } from '../../cache/dash/video-site.ts';
import { framesOf } from '../../cache/importers/navigation.ts';
import { readManifestAlone } from '../../cache/manifest.ts';
import { readHosts } from '../../ground/options/hosts.ts';
import { readTextOf } from '../../ground/options/named-file.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { fileLines } from '../../ground/records/file-lines.ts';
import { readRun } from '../../ground/records/read.ts';
import { readTcpSamples } from '../../ground/records/tcp-sample.ts';
import { TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { ExitError } from '../../ground/system/exit-status.ts';
import { dissect } from '../../packets/dissection/dissect.ts';
import { readHarFile, UnreadableHarError } from '../../report/sections/har-file.ts';
import { readCarriedLoads } from '../../report/sections/link-file.ts';
import { readAltSvc } from '../../runner/alt-svc.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder({ after: (remove) => process.once('exit', remove) });

/** A sparse file whose beginning identifies its format. */
function largeFile(name: string, beginning: string | Buffer = '', bytes = 2_000_000_000): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, beginning);
  truncateSync(file, bytes);
  return file;
}

function isForUsers(error: unknown): boolean {
  return error instanceof ExitError && /at most|more than/.test(error.message);
}

describe('a file that is too large is rejected in a sentence, before it is read', () => {
  test('a manifest of DASH', () =>
    assert.rejects(siteOfDash(largeFile('video.mpd', '<MPD>'), 'made'), isForUsers));

  const named: [what: string, read: (file: string) => unknown][] = [
    ['a list of sites', readSiteList],
    ['a list of hosts', (file) => readHosts([`@${file}`])],
    ['a plan', (file) => readTextOf('plan', file)],
  ];
  for (const [what, read] of named) {
    test(what, () => assert.throws(() => read(largeFile('named')), isForUsers));
  }

  test('the manifest of a site', () => {
    largeFile('site/index.json');
    assert.throws(() => readManifestAlone(path.join(folder, 'site')), /at most/);
  });

  test('a part of a video', async () => {
    const template = 'media="large-$Number$.mp4" startNumber="1" duration="2"';
    const manifest = path.join(folder, 'parts.mpd');
    writeFileSync(
      manifest,
      `<MPD mediaPresentationDuration="PT2S" type="static"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1" codecs="avc1.4d401e" width="2" height="2"><SegmentTemplate ${template}/></Representation></AdaptationSet></Period></MPD>`,
    );
    largeFile('large-1.mp4');
    await assert.rejects(siteOfDash(manifest, 'made'), isForUsers);
  });

  test('files of a run', async () => {
    largeFile('run/run.json');
    await assert.rejects(readRun(path.join(folder, 'run')), DamagedRunError);
    largeFile('run/har/a.har.gz');
    await assert.rejects(readHarFile(path.join(folder, 'run'), 'har/a.har.gz'), UnreadableHarError);
  });
});

describe('gzip that unpacks to more than the limit is rejected', () => {
  const zeros = gzipSync(Buffer.alloc(20_000_000, ' '));
  const packed = (name: string, bytes: Buffer = zeros): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return file;
  };

  test('samples of TCP: one line, and many', async () => {
    const read = (bytes: Buffer, limits: object) =>
      Array.fromAsync(readTcpSamples(packed('tcp.jsonl.gz', bytes), limits));
    await assert.rejects(read(zeros, {}), DamagedRunError);
    const many = gzipSync('{}\n'.repeat(1000));
    await assert.rejects(read(many, { maxBytes: 2999 }), DamagedRunError);
    assert.equal((await read(many, { maxBytes: 3000 })).length, 1000);
  });

  test('link traffic that counts as missing', async () => {
    const bomb = gzipSync(Buffer.alloc(70_000_000));
    packed('run/link/a.csv.gz', bomb);
    const observations = [{ id: 'a', files: { link: 'link/a.csv.gz' } }] as never;
    const found = await readCarriedLoads(path.join(folder, 'run'), new Set(['a']), observations);
    assert.equal(found.size, 0);
  });

  test('a capture: its size without compression counts', async () => {
    const capture = Buffer.alloc(5_000_000);
    capture.writeUInt32LE(0x0a0d0d0a);
    const file = packed('capture.pcapng.gz', gzipSync(capture));
    const reading = (availableBytes: number) => Array.fromAsync(dissect(file, { availableBytes }));
    await assert.rejects(reading(40_000_000), /tshark needs about/);
  });
});

test('a line of records that is longer than any record is rejected', async () => {
  const file = path.join(folder, 'lines.jsonl');
  writeFileSync(file, `${'a'.repeat(100)}\n`);
  await assert.rejects(Array.fromAsync(fileLines(file, 99)), TooLargeError);
  assert.equal((await Array.fromAsync(fileLines(file, 100))).length, 1);
});

// Each of them would take minutes or gigabytes if a character were examined once for each one
// before it.
describe('texts that are made to be searched for long are searched once', () => {
  const long = 'a'.repeat(1_000_000);

  test('Alt-Svc', () => assert.deepEqual(readAltSvc(long), []));

  test('frames of a document', () => {
    const page = { url: 'https://a.test/', headers: [], bodyIs: 'decoded' } as const;
    const body = Buffer.from('<iframe src '.repeat(1_000_000));
    assert.deepEqual(framesOf({ ...page, body } as never), []);
    const huge = Buffer.from('<iframe src=b>'.padEnd(17 * 1024 * 1024));
    assert.deepEqual(framesOf({ ...page, body: huge } as never), []);
  });
});
