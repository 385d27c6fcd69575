import assert from 'node:assert/strict';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { writeSite } from '../../../../cache/manifest.ts';
import { siteOfRecording } from '../../../../cache/site-of-recording.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { runExport } from '../command-output.ts';
import { EXAMPLE_DOCUMENT, exampleExchange, exampleRecording } from '../example-recording.ts';

/** Content that some or all of the servers cannot express. */
const HARD = [
  EXAMPLE_DOCUMENT,
  exampleExchange(`https://www.a.test/?${'long'.repeat(2500)}`, { body: 'long URL' }),
  exampleExchange('https://www.a.test/empty', { headers: [['x-empty', '']], body: 'x' }),
  exampleExchange('https://www.a.test/long', {
    headers: [['x-long', 'y'.repeat(9000)]],
    body: 'x',
  }),
];

/** A note that a URL is omitted because it is too long for a server. */
export function longUrl(server: string): RegExp {
  return new RegExp(`GET https://www\\.a\\.test/\\?long.*: omitted: ${server} reads no`);
}

/**
 * Asserts that an export for a server states the server's limits in its README and output,
 * including these parts.
 */
export async function assertLimitsSaid(
  t: TestContext,
  format: string,
  ...parts: RegExp[]
): Promise<void> {
  const sites = path.join(temporaryFolder(t), 'sites');
  await mkdir(sites);
  const { manifest, bodies } = siteOfRecording(exampleRecording([], { exchanges: HARD }), {
    file: 'x',
  });
  await writeSite(path.join(sites, 'hard'), { ...manifest, site: 'hard' }, bodies);
  const out = path.join(sites, '..', format);
  const exported = await runExport(sites, 'hard', '--to', format, '--out', out);
  assert.equal(exported.status, 0, exported.errors);
  const start = path.join(out, 'start.sh');
  assert.match(exported.out, new RegExp(`--sites hard --server ${start} --stacks own-`));
  const readme = await readFile(path.join(out, 'README.md'), 'utf8');
  const notes = exported.lines.filter((line) => line.startsWith('  note: '));
  for (const part of parts) assert.match(exported.out, part);
  for (const note of notes) assert.ok(readme.includes(`- ${note.slice(8)}\n`), note);
  assert.equal((await stat(start)).mode & 0o777, 0o755);
  assert.equal(
    await readFile(path.join(out, 'index.json'), 'utf8'),
    await readFile(path.join(sites, 'hard', 'index.json'), 'utf8'),
  );
}
