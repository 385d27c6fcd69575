import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Har } from '../../../clients/har/har.ts';
import { readLooks, readRun } from '../../../ground/records/read.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import {
  assertUnused,
  createFolder,
  openResults,
  pointLatestTo,
  writeRun,
} from '../../../runner/results.ts';
import { noteFlushedFolders } from '../../flushed-folders.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { madeLook } from '../made-run.ts';
import { fixtureRun } from '../report/fixture-run.ts';

const PLAN = { recordFile: 'page-loads.jsonl', choices: { compressHars: false } };
const LOOK = madeLook({
  elapsedMs: 90_123.5,
  fraction: 0.375,
  decided: [{ network: 'lossy', variant: 'repeat' }],
  end: 'decided',
});
const HAR = { log: { version: '1.2' } } as unknown as Har;

function runFolderIn(t: TestContext): string {
  return path.join(temporaryFolder(t), 'run');
}

test('removes the unfinished file of a killed run on reopening, and keeps the finished ones', async (t) => {
  const folder = runFolderIn(t);
  await createFolder(folder);
  await writeFile(path.join(folder, 'har', 'whole.har'), '{}');
  await writeFile(path.join(folder, 'har', 'half.har.unfinished'), '{"lo');
  const results = await openResults(folder, PLAN);
  assert.deepEqual(await readdir(path.join(folder, 'har')), ['whole.har']);
  await results.close();
  assert.ok(!(await readdir(folder)).includes('.reserve'));
});

test('writes a HAR whole, compressed on request', async (t) => {
  const folder = runFolderIn(t);
  await createFolder(folder);
  for (const compressHars of [false, true]) {
    const results = await openResults(folder, { ...PLAN, choices: { compressHars } });
    const file = path.join(folder, await results.writeHar(`load-${compressHars}`, HAR));
    const bytes = await readFile(file);
    assert.equal((compressHars ? gunzipSync(bytes) : bytes).toString(), JSON.stringify(HAR));
    await results.close();
  }
  assert.deepEqual((await readdir(path.join(folder, 'har'))).sort(), [
    'load-false.har',
    'load-true.har.gz',
  ]);
});

test('names NetLogs after their browsers, and does not overwrite one of an earlier invocation', async (t) => {
  const folder = runFolderIn(t);
  await createFolder(folder);
  const netLog = path.join(folder, 'net-log.json');
  const { invocations } = fixtureRun({ repetitions: 1 });
  const [invocation] = invocations;
  assert.ok(invocation);
  for (const id of ['first', 'second']) {
    const results = await openResults(folder, PLAN);
    await results.appendInvocation({ ...invocation, id });
    await writeFile(netLog, `{"constants":{},\n"events": [\n{"id":"${id}"}],\n"polledData": {}}\n`);
    await results.keepNetLog('bun-h2.1', netLog);
    await results.close();
  }
  const kept = async (name: string) => {
    const bytes = await readFile(path.join(folder, 'net-log', name));
    return JSON.parse(gunzipSync(bytes).toString()).events;
  };
  assert.deepEqual(await kept('bun-h2.1.json.gz'), [{ id: 'first' }]);
  assert.deepEqual(await kept('bun-h2.1@second.json.gz'), [{ id: 'second' }]);
  assert.equal((await readdir(path.join(folder, 'net-log'))).length, 2);
});

test('writes samples of TCP_INFO whole or not at all', async (t) => {
  const folder = runFolderIn(t);
  await createFolder(folder);
  const results = await openResults(folder, PLAN);
  const file = await results.writeTcpInfo('load', (unfinished) => writeFile(unfinished, 'samples'));
  assert.equal(file, 'tcp-info/load.jsonl.gz');
  assert.equal(await readFile(path.join(folder, file), 'utf8'), 'samples');
  const broken = results.writeTcpInfo('other', () => Promise.reject(new Error('no room')));
  await assert.rejects(broken, /no room/);
  assert.deepEqual(await readdir(path.join(folder, 'tcp-info')), ['load.jsonl.gz']);
  await results.close();
});

test('keeps link traffic gzipped, and can restart a run that was killed while it wrote its links', async (t) => {
  const folder = runFolderIn(t);
  const trace = { name: 'lte', sha256: '', meanKbps: 1, durationMs: 1, bytes: Buffer.from('1\n') };
  for (let time = 0; time < 2; time++) await createFolder(folder, [trace]);
  assert.equal(await readFile(path.join(folder, 'traces', 'lte'), 'utf8'), '1\n');
  const results = await openResults(folder, PLAN);
  const file = await results.writeLink('load', 't_ms\n0\n');
  assert.equal(file, path.join('link', 'load.csv.gz'));
  assert.equal(gunzipSync(await readFile(path.join(folder, file))).toString(), 't_ms\n0\n');
  await results.close();
});

test('writes packets whole, or leaves nothing of them', async (t) => {
  const folder = runFolderIn(t);
  await createFolder(folder);
  const results = await openResults(folder, PLAN);
  const named = await results.writePackets('load', Buffer.from('head, '), async (file) => {
    assert.match(file, /load\.pcapng\.unfinished$/);
    await appendFile(file, 'packets');
  });
  assert.equal(named, path.join('packets', 'load.pcapng'));
  assert.equal(await readFile(path.join(folder, named), 'utf8'), 'head, packets');
  const full = () => Promise.reject(new Error('No space left on device'));
  await assert.rejects(results.writePackets('other', Buffer.from('head'), full), /No space/);
  await results.close();
  await writeFile(path.join(folder, 'packets', 'half.pcapng.unfinished'), 'he');
  await (await openResults(folder, PLAN)).close();
  assert.deepEqual(await readdir(path.join(folder, 'packets')), ['load.pcapng']);
});

test('never overwrites results, but restarts a run that was killed before its beginning', async (t) => {
  const folder = runFolderIn(t);
  await assertUnused(folder);
  await createFolder(folder);
  const { run, invocations } = fixtureRun({ repetitions: 1 });
  const opened = await openResults(folder, PLAN);
  for (const invocation of invocations) await opened.appendInvocation(invocation);
  await assert.rejects(assertUnused(folder), /process \d+ is measuring into it/);
  await opened.close();
  for (const name of ['run.json.unfinished', '.reserve', '.lock']) {
    await writeFile(path.join(folder, name), '{');
  }
  // Killed here.
  await assertUnused(folder);
  await createFolder(folder);
  assert.ok(!(await readdir(folder)).includes('invocations.jsonl'));
  await writeRun(folder, run);
  assert.equal((await readRun(folder)).planSha256, run.planSha256);
  await assert.rejects(assertUnused(folder), {
    name: 'UsageError',
    message: /not empty.*never overwritten.*--resume/,
  });
});

test('does not touch foreign files', async (t) => {
  const folder = runFolderIn(t);
  await mkdir(path.join(folder, 'har'), { recursive: true });
  await writeFile(path.join(folder, 'har', 'mine.har'), '{}');
  await assert.rejects(assertUnused(folder), UsageError);
  await rm(path.join(folder, 'har', 'mine.har'));
  await writeFile(path.join(folder, 'notes.txt'), '');
  await assert.rejects(assertUnused(folder), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /not empty \(har, notes\.txt\).*never overwritten.*new or empty/);
    // There is no run in it that could be resumed.
    assert.doesNotMatch(error.message, /--resume/);
    return true;
  });
  await assert.rejects(assertUnused(path.join(folder, 'notes.txt')), /not a folder/);
});

test('makes files with cookies or secrets readable by their owner only, and the report by all', async (t) => {
  const folder = runFolderIn(t);
  const umask = process.umask(0o022);
  t.after(() => process.umask(umask));
  await createFolder(folder);
  const results = await openResults(folder, PLAN);
  const netLog = path.join(folder, '..', 'net.json');
  await writeFile(netLog, '{"constants": {},\n"events": [\n{}],\n"polledData": {}}\n');
  await results.writeHar('load', HAR);
  await results.writePackets('load', Buffer.from(''), async () => {});
  await results.writeTcpInfo('load', async () => {});
  await results.keepNetLog('browser', netLog);
  await results.writeLink('load', 't_ms\n');
  await results.close();
  await writeRun(folder, fixtureRun().run);
  const modes: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort())
    modes[name] = ((await stat(path.join(folder, name))).mode & 0o777).toString(8);
  assert.deepEqual(modes, {
    'calibrations.jsonl': '644',
    har: '700',
    'har/load.har': '600',
    'invocations.jsonl': '644',
    link: '755',
    'link/load.csv.gz': '644',
    logs: '755',
    'net-log': '700',
    'net-log/browser.json.gz': '600',
    packets: '700',
    'packets/load.pcapng': '600',
    'page-loads.jsonl': '644',
    'run.json': '644',
    'tcp-info': '700',
    'tcp-info/load.jsonl.gz': '600',
  });
  assert.equal((await stat(folder)).mode & 0o777, 0o755);
});

test('keeps results/latest if a run lies elsewhere, and continues if it cannot be written', async (t) => {
  const root = await realpath(temporaryFolder(t));
  const results = path.join(root, 'results');
  const [inside, elsewhere] = [path.join(results, 'run'), path.join(root, 'elsewhere')];
  for (const folder of [inside, elsewhere]) await mkdir(folder, { recursive: true });
  await pointLatestTo(elsewhere, results);
  assert.deepEqual(await readdir(results), ['run']);
  await pointLatestTo(inside, results);
  await pointLatestTo(elsewhere, results);
  assert.equal(await readlink(path.join(results, 'latest')), 'run');
  await pointLatestTo(elsewhere, path.join(root, 'missing'));
  // As a folder with content cannot be overwritten.
  const taken = path.join(root, 'taken');
  await mkdir(path.join(taken, 'latest', 'in'), { recursive: true });
  await mkdir(path.join(taken, 'run'));
  await pointLatestTo(path.join(taken, 'run'), taken);
  assert.deepEqual((await readdir(taken)).sort(), ['latest', 'run']);
});

test('points results/latest to the run itself, also if the run was named by that link', async (t) => {
  const results = await realpath(temporaryFolder(t));
  const run = path.join(results, 'run');
  const latest = path.join(results, 'latest');
  await mkdir(run);
  for (const name of [run, latest]) {
    await pointLatestTo(name, results);
    assert.equal(await readlink(latest), 'run');
    assert.deepEqual((await readdir(results)).sort(), ['latest', 'run']);
  }
});

test('syncs the folders of a new run to disk before writing into them', async (t) => {
  const outside = temporaryFolder(t);
  const flushed = await noteFlushedFolders(t);
  await createFolder(path.join(outside, 'runs', 'first'));
  assert.deepEqual(flushed[outside], ['runs']);
  assert.deepEqual(flushed[path.join(outside, 'runs')], ['first']);
  assert.ok(flushed[path.join(outside, 'runs', 'first')]?.includes('har'));
});

test('syncs looks to disk line by line, and has no file for a run without looks', async (t) => {
  const folder = runFolderIn(t);
  await createFolder(folder);
  const results = await openResults(folder, PLAN);
  await results.close();
  assert.ok(!(await readdir(folder)).includes('looks.jsonl'));
  for (const order of [20, 40]) {
    // Each by a separate invocation.
    const again = await openResults(folder, PLAN);
    await again.appendLook({ ...LOOK, order });
    assert.equal((await readLooks(folder)).at(-1)?.order, order);
    await again.close();
  }
  assertEach(await readLooks(folder), ({ order }) => order, [20, 40]);
});
