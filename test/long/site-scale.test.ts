import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EXPORT_FORMATS } from '../../cache/exporters/index.ts';
import { readManifest, writeSite } from '../../cache/manifest.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import { siteOfRecording } from '../../cache/site-of-recording.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  type CommandOutput,
  runExport,
  runImport,
  runSites,
} from '../unit/cache/command-output.ts';
import { exampleExchange, exampleRecording } from '../unit/cache/example-recording.ts';

const RESOURCES = 2000;
const BODY_BYTES = 50_000;

function largeExchange(index: number): RecordedExchange {
  const url = `https://host${index % 20}.test/${index}`;
  const bytes = randomBytes(BODY_BYTES);
  return index % 2 === 0
    ? exampleExchange(url, { headers: [['content-type', 'image/png']], body: bytes })
    : exampleExchange(url, {
        headers: [
          ['content-type', 'text/javascript'],
          ['content-encoding', 'gzip'],
        ],
        body: gzipSync(bytes.toString('hex')),
      });
}

test('round-trips a site of 2,000 resources and 100 MB in every format, and lists a cache of 500 sites', async (t) => {
  const folder = temporaryFolder(t);
  const sites = path.join(folder, 'sites');
  await mkdir(sites);
  const folderOf = (site: string) => path.join(sites, site);
  const lap = lapTimer((text) => t.diagnostic(text));
  const outOf = async (command: Promise<CommandOutput>) => {
    const { status, out, errors } = await command;
    assert.equal(status, 0, errors);
    return out;
  };

  const exchanges = Array.from({ length: RESOURCES }, (_, index) => largeExchange(index));
  const { manifest, bodies } = siteOfRecording(exampleRecording(exchanges), { file: 'made' });
  await writeSite(folderOf('large'), { ...manifest, site: 'large' }, bodies);
  lap('made and written');
  for (const { format } of EXPORT_FORMATS.filter(({ server }) => server === undefined)) {
    const target = path.join(folder, `large.${format}`);
    const printed = await outOf(runExport(sites, 'large', '--to', format, '--out', target));
    lap(`exported to ${format}`);
    const [, again = ''] = /^Import it: npm run import -- (.*)$/m.exec(printed) ?? [];
    await outOf(runImport(folderOf, ...again.split(' '), '--name', 'again'));
    lap(`imported from ${format}`);
    const found = await readManifest(folderOf('again'));
    const hashes = (resources: { url: string; sha256: string | null }[]) =>
      resources.map(({ url, sha256 }) => `${url} ${sha256}`).sort();
    assert.deepEqual(hashes(found.resources), hashes(manifest.resources), format);
  }
  await rm(folderOf('again'), { recursive: true });

  const few = { ...manifest, resources: manifest.resources.slice(0, 100) };
  for (let index = 1; index < 500; index += 1) {
    await writeSite(folderOf(`site-${index}`), { ...few, site: `site-${index}` }, new Map());
  }
  lap('499 sites of 100 resources written');
  const { lines, errors } = await runSites({ sites, toRepair: assert.fail });
  assert.equal(errors, '');
  lap('500 sites listed');
  assert.equal(lines.length, 501);
});

/** Prints the duration of each step, for people: tests do not judge speed. */
function lapTimer(report: (text: string) => void): (step: string) => void {
  let startedMs = performance.now();
  return (step) => {
    const nowMs = performance.now();
    report(`${step}: ${((nowMs - startedMs) / 1000).toFixed(1)} s`);
    startedMs = nowMs;
  };
}
