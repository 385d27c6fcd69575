import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { schemaCheck } from '../../../ground/records/schema-check.ts';
import { readHistory, writeHistory } from '../../../report/history.ts';
import { historySchema } from '../../../report/summary/runs-history.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { closed } from '../closed-schema.ts';
import { STOPPING } from '../made-run.ts';
import { idOfDay, runOfDay, writeRuns } from './made-history.ts';
import { cellsOf } from './reported.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../bin/quic-vs-https.ts');

const problemOf = schemaCheck(closed(historySchema));

function report(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, 'report', ...words], { encoding: 'utf8' });
}

const DAYS = Array.from({ length: 15 }, (_, index) => index + 1);

/** Fifteen days; from the tenth on, Bun is newer and lsquic (h3) takes 10 % longer. */
function changedRuns() {
  return DAYS.map((day) => {
    const made = runOfDay(day, day >= 10 ? 1.1 : 1);
    if (day >= 10) made.run.versions.bun = '1.5.0';
    if (day >= 4) made.run.host.cpu = 'Another CPU';
    return made;
  });
}

test('finds a change of 10 % among the runs of a folder, and names what changed with it', () =>
  withTemporaryFolder(async (folder) => {
    await writeRuns(folder, changedRuns());
    symlinkSync(idOfDay(15), path.join(folder, 'latest'));
    writeFileSync(path.join(folder, 'README.md'), 'no run');
    const out = path.join(folder, 'history');
    const { status, stdout, stderr } = report('--history', folder, '--out', out);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(
      stdout,
      /From 2026-11-10 03:00 UTC on, lsquic \(h3\) is \d+(\.\d)? % slower relative to Bun \(h2\) than before/,
    );
    assert.match(stdout, /No change of level found in 15 runs: Flask \(http\/1\.1\)/);
    assert.doesNotMatch(stdout, /Excluded/);
    assert.ok(stdout.endsWith(`History: ${path.join(out, 'history.html')}\n`));

    const files = ['history.csv', 'history.html', 'history.json'];
    assert.deepEqual(readdirSync(out).toSorted(), files);
    const texts = () => files.map((file) => readFileSync(path.join(out, file), 'utf8'));
    const [csv = '', page = '', json = ''] = texts();
    assert.equal(problemOf(JSON.parse(json)), null);
    assert.equal(csv.trimEnd().split('\n').length, 1 + 2 * DAYS.length);
    assert.match(csv, /2026-11-10T03:00:00\.000Z,versions\.bun: 1\.4\.5 -> 1\.5\.0,/);
    assert.ok(![csv, page, json].some((text) => text.includes(folder)));

    const { document } = parseHTML(page);
    const [first] = document.querySelectorAll('.question');
    assert.match(first?.textContent ?? '', /run earlier or later: bun 1\.4\.5 → 1\.5\.0\./);
    assert.match(document.querySelector('.notice')?.textContent ?? '', /client changed 1|once/);
    const runs = cellsOf(document.querySelector('[aria-label="Runs and what changed"]'));
    assert.equal(runs.length, 15);
    assert.deepEqual(runs[3]?.slice(1), [
      '2026-11-04 03:00 UTC',
      'processor Example CPU @ 2.40GHz → Another CPU',
    ]);

    // A page of before is replaced, as by --compare, and is no run.
    assert.equal(report('--history', folder, '--out', out).status, 0);
    assert.deepEqual(texts(), [csv, page, json]);
  }));

test('excludes runs that cannot be read, have not ended or have another plan, each with its reason', () =>
  withTemporaryFolder(async (folder) => {
    const runs = DAYS.slice(0, 10).map((day) => runOfDay(day));
    const change = (day: number) => runs[day - 1] as (typeof runs)[number];
    change(2).run.repetitions = 30;
    change(3).observations.splice(20);
    for (const subject of change(4).run.subjects) subject.manifestSha256 = 'cd'.repeat(32);
    change(5).run.formatVersion = 99 as never;
    for (const arm of change(6).run.arms) arm.settings = { congestionControl: 'bbr' };
    change(10).run.stopping = STOPPING;
    delete change(7).run.choices.keyExchange;
    for (const arm of change(7).run.arms) {
      Object.assign(arm, { label: `${arm.label} of 7`, own: { program: 'build-7/start.sh' } });
    }
    change(8).run.versions.bun = '<img src=x onerror=alert(2)>';
    await writeRuns(folder, runs);
    const copy = path.join(folder, 'copy');
    cpSync(path.join(folder, idOfDay(1)), copy, { recursive: true });
    const damaged = path.join(folder, '<img src=x onerror=alert(1)>');
    mkdirSync(damaged);
    writeFileSync(runFolder(damaged).run, '{');
    const history = await readHistory([folder, path.join(folder, idOfDay(1))]);
    assert.deepEqual(
      history.runs.map(({ runId }) => runId),
      [1, 7, 8, 9].map(idOfDay),
    );
    const expected: [name: string, reason: RegExp][] = [
      [idOfDay(2), /Another plan than that of 2026-11-09.*: repetitions, 8 and 30\./],
      [idOfDay(3), /has not ended: \d+ of 24 loads are done/],
      [idOfDay(4), /The page a\.example is not the same/],
      [
        idOfDay(5),
        /^run\.json: formatVersion is 99, .* by a newer quic-vs-https, which reads it\.$/,
      ],
      [idOfDay(6), /The settings of the stack lsquic-h3 differ/],
      [
        idOfDay(10),
        /stopping rule: rule, not set and pocock-spending\. .* And 1 more difference\.$/,
      ],
      ['<img src=x onerror=alert(1)>', /^run\.json is not valid JSON/],
      ['copy', /^The same run as in 2026-11-01T03-00-00Z/],
    ];
    assert.deepEqual(
      history.excluded.map(({ name }) => name),
      expected.map(([name]) => name),
    );
    for (const [place, [, reason]] of expected.entries()) {
      assert.match(history.excluded[place]?.reason ?? '', reason);
    }
    const page = readFileSync(await writeHistory(history, path.join(folder, 'out')), 'utf8');
    assert.doesNotMatch(page, /<img/);
    const { document } = parseHTML(page);
    const list = document.querySelector('#excluded')?.parentElement;
    assert.equal(list?.querySelectorAll('li').length, expected.length);
    assert.match(page, /Too few runs to find a change: 4, expected 12 or more\./);
  }));

test('chooses the plan of the newest two runs or more, and takes another metric and baseline', () =>
  withTemporaryFolder(async (folder) => {
    const runs = DAYS.slice(0, 5).map((day) => runOfDay(day));
    for (const { run } of runs.slice(2)) run.analysis.metric = 'documentMs';
    for (const { run } of runs.slice(4)) run.analysis.baseline = 'flask-h1';
    await writeRuns(folder, runs);
    const planned = await readHistory([folder]);
    assert.deepEqual(
      planned.runs.map(({ runId }) => runId),
      [3, 4].map(idOfDay),
    );
    assert.deepEqual(
      planned.excluded.map(({ name, isNewer }) => [name, isNewer]),
      [
        [idOfDay(1), false],
        [idOfDay(2), false],
        [idOfDay(5), true],
      ],
    );
    const page = readFileSync(await writeHistory(planned, path.join(folder, 'out')), 'utf8');
    assert.match(page, /The newest run is excluded: see the reasons below\./);
    const chosen = await readHistory([folder], { metric: 'document', baseline: 'flask-h1' });
    assert.equal(chosen.metric, 'documentMs');
    assert.equal(chosen.runs.length, 5);
    assert.deepEqual(
      chosen.questions.map(({ arm, baseline }) => [arm, baseline]),
      [
        ['lsquic-h3', 'flask-h1'],
        ['bun-h2', 'flask-h1'],
      ],
    );
  }));

test('reads the intact one of two copies', () =>
  withTemporaryFolder(async (folder) => {
    await writeRuns(folder, [runOfDay(1), runOfDay(2)]);
    const [kept, moved] = ['kept', 'moved'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    for (const copy of [kept, moved]) {
      cpSync(path.join(folder, idOfDay(1)), path.join(copy, idOfDay(1)), { recursive: true });
    }
    rmSync(path.join(folder, idOfDay(1), 'page-loads.jsonl'));
    const { runs, excluded } = await readHistory([folder, kept, moved]);
    assert.equal(runs.length, 2);
    assert.deepEqual(
      excluded.map(({ name }) => name),
      [idOfDay(1), path.join('moved', idOfDay(1))],
    );
    assert.match(excluded[0]?.reason ?? '', /^page-loads\.jsonl is missing/);
    assert.equal(excluded[1]?.reason, `The same run as in ${path.join('kept', idOfDay(1))}.`);
  }));

test('isolates labels on the page', () =>
  withTemporaryFolder(async (folder) => {
    const runs = [runOfDay(1), runOfDay(2)];
    const label = `3 ms \u202e <b>${'x'.repeat(200)}`;
    for (const { run } of runs) {
      for (const arm of run.arms) if (arm.arm === 'lsquic-h3') arm.label = label;
    }
    await writeRuns(folder, runs);
    const out = path.join(folder, 'out');
    const page = readFileSync(await writeHistory(await readHistory([folder]), out), 'utf8');
    const { document } = parseHTML(page);
    for (const selector of ['.question .sentence', '#ratios ~ h3']) {
      const names = document.querySelector(selector)?.querySelectorAll('bdi.name') ?? [];
      assert.ok(
        [...names].some(({ textContent }) => textContent === label),
        selector,
      );
    }
  }));

test('ends with status 2, a reason, and no file if there is no history', () =>
  withTemporaryFolder(async (folder) => {
    const [first = '', second = ''] = [1, 2].map((day) => path.join(folder, idOfDay(day)));
    const runs = [runOfDay(1), runOfDay(2)];
    Object.assign(runs[1]?.run ?? {}, { repetitions: 30 });
    await writeRuns(folder, runs);
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    const out = path.join(folder, 'out');
    for (const [words, reason] of [
      [[empty], /empty has no run\.json, and no folder in it has one/],
      [['/nonexistent-runs'], /cannot be read: no such file or directory/],
      [[first], /1 run of one plan can be read, expected two at least\.\n/],
      [[first, second], /expected two at least\. 2026-11-01\S+: Another plan .* repetitions/],
      [[runFolder(first).run], /has no run\.json/],
      [[first, '--baseline', 'nginx'], /The baseline is nginx, expected a stack/],
      [[first, '--compare'], /--history .*--compare|--compare .*--history/],
      [[first, '--fail-if', 'a slower by 5%'], /--fail-if/],
    ] as const) {
      const { status, stdout, stderr } = report('--history', ...words, '--out', out);
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, reason);
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
    assert.ok(!readdirSync(folder).includes('out'));
  }));
