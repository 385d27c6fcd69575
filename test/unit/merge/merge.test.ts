import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { MergeError } from '../../../merge/errors.ts';
import { mergeRuns } from '../../../merge/merge.ts';
import type { PageLoad } from '../../../records/page-load.ts';
import { readCalibrations, readPageLoads, readRun, readSittings } from '../../../records/read.ts';
import { runFolder } from '../../../records/run-folder.ts';
import { summarise } from '../../../report/summary.ts';
import { writeReport } from '../../../report/write.ts';
import { type Fixture, fixtureRun, NONE } from '../report/fixture-run.ts';
import { partOf, withParts } from './parts-of-run.ts';

const OPTIONS = { sites: ['a.example', 'b.example'], networks: [NONE], repetitions: 7 };

const ofSite = (name: string) => (load: PageLoad) => load.site === name;

/** Two machines with a site each. */
function bySites(): [Fixture, Fixture] {
  return [
    partOf('bench', ofSite('a.example'), OPTIONS),
    partOf('barn', ofSite('b.example'), OPTIONS),
  ];
}

/** Expects a merge to be refused with a reason, and to leave nothing. */
async function assertRefused(
  folders: readonly string[],
  out: string,
  reason: RegExp,
): Promise<void> {
  const before = await readdir(path.dirname(out));
  await assert.rejects(mergeRuns(folders, out), reason);
  assert.deepEqual(await readdir(path.dirname(out)), before, 'nothing was written');
}

test('parts by sites become the run that one machine would have made', async () => {
  await withParts(bySites(), async (folders, out) => {
    const merged = await mergeRuns(folders, out);
    assert.deepEqual(merged, { loads: 48, machines: ['bench', 'barn'], notes: [] });
    const whole = fixtureRun(OPTIONS);
    assert.deepEqual(await readRun(out), whole.run);
    const { pageLoads } = await readPageLoads(out);
    assert.deepEqual(
      pageLoads.map(({ id, order }) => [id, order]),
      whole.pageLoads.map(({ id }, index) => [id, index + 1]),
    );
    assert.equal((await readCalibrations(out)).calibrations.length, whole.calibrations.length);
    const { rows, comparisons, primary } = await writeReport(out);
    const own = summarise(whole.run, whole.pageLoads, whole.calibrations);
    assert.deepEqual(rows, own.rows);
    assert.deepEqual(comparisons, own.comparisons);
    assert.deepEqual(primary, own.primary);
  });
});

test('every load keeps its machine, its HAR and its part’s run.json and logs', async () => {
  await withParts(bySites(), async (folders, out) => {
    await mergeRuns(folders, out);
    const machineOf = new Map((await readSittings(out)).map(({ id, machine }) => [id, machine]));
    for (const { id, site, sitting, har } of (await readPageLoads(out)).pageLoads) {
      assert.equal(machineOf.get(sitting), site === 'a.example' ? 'bench' : 'barn');
      assert.equal(await readFile(path.join(out, har ?? ''), 'utf8'), `${id} in ${sitting}`);
    }
    const { parts } = runFolder(out);
    assert.deepEqual((await readdir(parts)).toSorted(), ['barn', 'bench']);
    assert.equal(await readFile(path.join(parts, 'barn', 'logs', 'bun-h2.log'), 'utf8'), '1');
    assert.deepEqual(await readRun(path.join(parts, 'barn')), await readRun(out));
  });
});

test('loads of machines that worked at the same time are in the order of their starts', async () => {
  const parts: [Fixture, Fixture] = [
    partOf('bench', ({ block }) => block % 2 === 0, OPTIONS),
    partOf('barn', ({ block }) => block % 2 === 1, OPTIONS),
  ];
  await withParts(parts, async (folders, out) => {
    await mergeRuns(folders.toReversed(), out);
    const { pageLoads } = await readPageLoads(out);
    const starts = pageLoads.map(({ startedAt }) => startedAt);
    assert.deepEqual(starts, starts.toSorted());
    assert.deepEqual(
      pageLoads.map(({ order }) => order),
      pageLoads.map((_, index) => index + 1),
    );
  });
});

test('a warm-up that two parts made is there twice, the later one with the name of its sitting', async () => {
  const parts: [Fixture, Fixture] = [
    partOf('bench', ({ block }) => block < 4, OPTIONS),
    partOf('barn', ({ block, warmup }) => warmup || block >= 4, OPTIONS),
  ];
  await withParts(parts, async (folders, out) => {
    await mergeRuns(folders, out);
    const { pageLoads } = await readPageLoads(out);
    const warmups = pageLoads.filter(({ warmup }) => warmup);
    assert.equal(warmups.length, 12);
    const later = warmups.filter(({ id }) => id.includes('@'));
    assert.deepEqual(
      later.map(({ id, har }) => [id.split('@')[1], har]),
      later.map(({ id, sitting }) => [sitting, `har/${id}.har`]),
    );
    assert.equal(later.length, 6);
    for (const { id, har, sitting } of warmups) {
      const text = await readFile(path.join(out, har ?? ''), 'utf8');
      assert.equal(text, `${id.split('@')[0]} in ${sitting}`);
    }
    assert.equal((await writeReport(out)).progress.complete, true);
  });
});

test('loads that no part has are said to be not made', async () => {
  const [first, second] = bySites();
  second.pageLoads.splice(-6);
  await withParts([first, second], async (folders, out) => {
    assert.equal((await mergeRuns(folders, out)).loads, 42);
    const { progress, warnings } = await writeReport(out);
    assert.deepEqual([progress.donePageLoads, progress.plannedPageLoads], [36, 42]);
    assert.match(warnings.join(), /36 of 42 page loads/);
  });
});

test('overlapping parts are refused with one of the loads and both folders', async () => {
  const [first, second] = bySites();
  second.pageLoads.push(
    ...first.pageLoads
      .slice(-1)
      .map((load) => ({ ...load, sitting: second.sittings[0]?.id ?? '' })),
  );
  await withParts([first, second], (folders, out) =>
    assertRefused(folders, out, /part-\d and .*part-\d overlap: load \S+\.7 was measured in both/),
  );
});

test('a folder twice, and a copy of a part, are refused', async () => {
  const [first] = bySites();
  await withParts([first, first], async (folders, out) => {
    await assertRefused(folders, out, /both have the sitting \S+-bench/);
    await assertRefused([folders[0] ?? '', folders[0] ?? ''], out, /are the same folder/);
  });
});

test('parts of other plans are refused with what differs, in words', async () => {
  const changes: [change: (run: Fixture['run']) => unknown, said: RegExp][] = [
    [(run) => (run.choices.mtuBytes = 9000), /choices\.mtuBytes is 1500 and 9000/],
    [(run) => (run.seed = 8), /seed is 7 and 8/],
    [(run) => run.sites.pop(), /Only the first has the site b\.example/],
    [(run) => run.stacks.pop(), /Only the first has the stack flask-h1/],
    [(run) => run.visits.push('repeat'), /Only the second has the kind of visit repeat/],
    [
      (run) => {
        for (const site of run.sites) site.manifestSha256 = 'ee'.repeat(32);
      },
      /The page a\.example is not the same/,
    ],
    [(run) => (run.preset = 'published'), /The preset is none and published/],
    [(run) => run.trials.reverse(), /The planned loads or their order differ/],
    [(run) => (run.planSha256 = 'cd'.repeat(32)), /The digests of the plans differ/],
  ];
  for (const [change, said] of changes) {
    const [first, second] = bySites();
    change(second.run);
    await withParts([first, second], (folders, out) => assertRefused(folders, out, said));
  }
});

test('what machines have of their own makes no other plan', async () => {
  const [first, second] = bySites();
  second.run.choices.pinned = null;
  second.run.host.kernel = '7.0';
  second.run.versions.chromium = '157.0';
  second.run.command = ['--plan', 'plan.json'];
  await withParts([first, second], async (folders, out) => {
    assert.equal((await mergeRuns(folders, out)).loads, 48);
  });
});

test('damaged parts are refused with the file and its line', async () => {
  await withParts(bySites(), async (folders, out) => {
    const { pageLoads } = runFolder(folders[1] ?? '');
    await appendFile(pageLoads, 'no record\n');
    await assertRefused(folders, out, /part-2.*page-loads\.jsonl, line 25 is not valid JSON/);
  });
  await withParts(bySites(), async (folders, out) => {
    await rm(runFolder(folders[1] ?? '').sittings);
    await assertRefused(folders, out, /sittings\.jsonl is missing/);
  });
  const [first, second] = bySites();
  for (const load of second.pageLoads) load.sitting = 'of-nobody';
  await withParts([first, second], (folders, out) =>
    assertRefused(folders, out, /part-2: .*sitting of-nobody, which sittings\.jsonl does not have/),
  );
});

test('a part of a format version that is not known is refused', async () => {
  const [first, second] = bySites();
  (second.run as { formatVersion: number }).formatVersion = 99;
  await withParts([first, second], (folders, out) =>
    assertRefused(folders, out, /part-2.*formatVersion is 99/),
  );
});

test('a sitting whose name would lead a HAR out of the folder of HARs is refused', async () => {
  const parts: [Fixture, Fixture] = [
    partOf('bench', ({ block }) => block < 4, OPTIONS),
    partOf('barn', ({ block, warmup }) => warmup || block >= 4, OPTIONS),
  ];
  for (const { pageLoads, sittings } of parts) {
    const [sitting] = sittings;
    assert.ok(sitting);
    sitting.id = `/../../../${sitting.machine}`;
    for (const load of pageLoads) load.sitting = sitting.id;
  }
  await withParts(parts, (folders, out) => assertRefused(folders, out, /cannot become har.*\.\./));
});

test('a folder that exists is never written into', async () => {
  await withParts(bySites(), async (folders, out) => {
    await mkdir(out);
    await assertRefused(folders, out, /exists; results are never overwritten/);
    assert.deepEqual(await readdir(out), []);
  });
});

test('a single folder is no campaign', async () => {
  await withParts(bySites(), async ([folder = ''], out) => {
    await assert.rejects(mergeRuns([folder], out), MergeError);
  });
});

test('a line that was cut is left out, and HARs that are gone are told', async () => {
  await withParts(bySites(), async (folders, out) => {
    await appendFile(runFolder(folders[0] ?? '').pageLoads, '{"formatVersion":3,"id"');
    const [load] = (await readPageLoads(folders[1] ?? '')).pageLoads;
    await rm(path.join(folders[1] ?? '', load?.har ?? ''));
    const { loads, notes } = await mergeRuns(folders, out);
    assert.equal(loads, 48);
    assert.match(notes.join('\n'), /part-1: Line 25 .* was cut/);
    assert.match(notes.join('\n'), /part-2: HARs missing: 1\./);
  });
});

test('what was merged can be merged again', async () => {
  const parts = [
    partOf('bench', ofSite('a.example'), OPTIONS),
    partOf('barn', ({ site, block }) => site === 'b.example' && block < 4, OPTIONS),
    partOf('shed', ({ site, block }) => site === 'b.example' && block >= 4, OPTIONS),
  ];
  await withParts(parts, async ([first = '', second = '', third = ''], out) => {
    await mergeRuns([second, third], out);
    const all = `${out}-again`;
    const merged = await mergeRuns([first, out], all);
    assert.deepEqual([merged.loads, merged.machines], [48, ['bench', 'barn', 'shed']]);
    assert.ok((await stat(path.join(runFolder(all).parts, 'barn', 'parts', 'shed'))).isDirectory());
    await assertRefused([out, all], `${out}-thrice`, /both have the sitting/);
  });
});
