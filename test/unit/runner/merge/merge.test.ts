import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import {
  readCalibrations,
  readInvocations,
  readObservations,
  readRun,
} from '../../../../ground/records/read.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { UsageError } from '../../../../ground/system/errors.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { writeReport } from '../../../../report/write.ts';
import { mergeRuns } from '../../../../runner/merge/merge.ts';
import { type Fixture, fixtureRun, NONE } from '../../report/fixture-run.ts';
import { partOf, withParts } from './parts-of-run.ts';

const OPTIONS = { subjects: ['a.example', 'b.example'], networks: [NONE], repetitions: 7 };

const ofSite = (name: string) => (load: Observation) => load.subject === name;

/** Two machines with a site each. */
function bySites(): [Fixture, Fixture] {
  return [
    partOf('bench', ofSite('a.example'), OPTIONS),
    partOf('barn', ofSite('b.example'), OPTIONS),
  ];
}

/** Two machines with a half of the blocks each; warm-ups of the second in both. */
function byBlocks(): [Fixture, Fixture] {
  return [
    partOf('bench', ({ block }) => block < 4, OPTIONS),
    partOf('barn', ({ block, warmup }) => warmup || block >= 4, OPTIONS),
  ];
}

/** Expects a merge to be rejected with a reason, and to leave nothing. */
async function assertRefused(
  folders: readonly string[],
  out: string,
  reason: RegExp,
): Promise<void> {
  const before = await readdir(path.dirname(out));
  await assert.rejects(mergeRuns(folders, out), reason);
  assert.deepEqual(await readdir(path.dirname(out)), before, 'nothing was written');
}

/** Expects the merge of two parts to be rejected. */
const assertPartsRefused = (parts: readonly Fixture[], reason: RegExp) =>
  withParts([...parts], (folders, out) => assertRefused(folders, out, reason));

test('merges parts by sites to the run of one machine', async () => {
  await withParts(bySites(), async (folders, out) => {
    const merged = await mergeRuns(folders, out);
    assert.deepEqual(merged, { loads: 48, machines: ['bench', 'barn'], notes: [] });
    const whole = fixtureRun(OPTIONS);
    assert.deepEqual(await readRun(out), whole.run);
    const { observations } = await readObservations(out, pageLoad);
    assert.deepEqual(
      observations.map(({ id, order }) => [id, order]),
      whole.observations.map(({ id }, index) => [id, index + 1]),
    );
    assert.equal((await readCalibrations(out)).calibrations.length, whole.calibrations.length);
    const { rows, comparisons, primary } = await writeReport(out);
    const own = summarise(whole.run, whole.observations, whole.calibrations);
    assert.deepEqual(rows, own.rows);
    assert.deepEqual(comparisons, own.comparisons);
    assert.deepEqual(primary, own.primary);
  });
});

test('keeps the machine of every load, its HAR and its part’s run.json, logs and NetLogs', async () => {
  await withParts(bySites(), async (folders, out) => {
    await mergeRuns(folders, out);
    const machineOf = new Map((await readInvocations(out)).map(({ id, machine }) => [id, machine]));
    const { observations } = await readObservations(out, pageLoad);
    for (const { id, subject, invocation, files } of observations) {
      assert.equal(machineOf.get(invocation), subject === 'a.example' ? 'bench' : 'barn');
      assert.equal(
        await readFile(path.join(out, files.har ?? ''), 'utf8'),
        `${id} in ${invocation}`,
      );
    }
    const { parts } = runFolder(out);
    assert.deepEqual((await readdir(parts)).toSorted(), ['barn', 'bench']);
    assert.equal(await readFile(path.join(parts, 'barn', 'logs', 'bun-h2.log'), 'utf8'), '1');
    const netLog = path.join(parts, 'barn', 'net-log', 'bun-h2.1.json.gz');
    assert.equal(await readFile(netLog, 'utf8'), '1');
    assert.deepEqual(await readRun(path.join(parts, 'barn')), await readRun(out));
  });
});

test('orders loads of parallel machines by their starts', async () => {
  const parts: [Fixture, Fixture] = [
    partOf('bench', ({ block }) => block % 2 === 0, OPTIONS),
    partOf('barn', ({ block }) => block % 2 === 1, OPTIONS),
  ];
  await withParts(parts, async (folders, out) => {
    await mergeRuns(folders.toReversed(), out);
    const { observations } = await readObservations(out, pageLoad);
    const starts = observations.map(({ startedAt }) => startedAt);
    assert.deepEqual(starts, starts.toSorted());
    assert.deepEqual(
      observations.map(({ order }) => order),
      observations.map((_, index) => index + 1),
    );
  });
});

test('keeps a warm-up of two parts twice, the later one with the name of its invocation', async () => {
  await withParts(byBlocks(), async (folders, out) => {
    await mergeRuns(folders, out);
    const { observations } = await readObservations(out, pageLoad);
    const warmups = observations.filter(({ warmup }) => warmup);
    assert.equal(warmups.length, 12);
    const later = warmups.filter(({ id }) => id.includes('@'));
    assert.deepEqual(
      later.map(({ id, files }) => [id.split('@')[1], files.har]),
      later.map(({ id, invocation }) => [invocation, `har/${id}.har`]),
    );
    assert.equal(later.length, 6);
    for (const { id, files, invocation } of warmups) {
      const text = await readFile(path.join(out, files.har ?? ''), 'utf8');
      assert.equal(text, `${id.split('@')[0]} in ${invocation}`);
    }
    assert.equal((await writeReport(out)).progress.complete, true);
  });
});

test('reports loads that no part has as not made', async () => {
  const [first, second] = bySites();
  second.observations.splice(-6);
  await withParts([first, second], async (folders, out) => {
    assert.equal((await mergeRuns(folders, out)).loads, 42);
    const { progress, warnings } = await writeReport(out);
    assert.deepEqual([progress.donePageLoads, progress.plannedPageLoads], [36, 42]);
    assert.match(warnings.join(), /36 of 42 loads/);
  });
});

test('rejects overlapping parts with one of the loads and both folders', async () => {
  const [first, second] = bySites();
  second.observations.push(
    ...first.observations
      .slice(-1)
      .map((load) => ({ ...load, invocation: second.invocations[0]?.id ?? '' })),
  );
  const reason = /part-\d and .*part-\d overlap: load \S+\.7 was measured in both/;
  await assertPartsRefused([first, second], reason);
});

test('rejects a repeated folder, and a copy of a part', async () => {
  const [first] = bySites();
  await withParts([first, first], async (folders, out) => {
    await assertRefused(folders, out, /both have the invocation \S+-bench/);
    await assertRefused([folders[0] ?? '', folders[0] ?? ''], out, /are the same folder/);
  });
});

test('rejects parts of other plans with their differences, in words', async () => {
  const changes: [change: (run: Fixture['run']) => unknown, said: RegExp][] = [
    [(run) => (run.choices.mtuBytes = 9000), /Not the same: MTU \(bytes\), 1500 and 9000\./],
    [(run) => (run.seed = 8), /Not the same: seed, 7 and 8\./],
    [
      (run) => {
        run.subjects.pop();
        run.trials = run.trials.filter(({ subject }) => subject === 'a.example');
      },
      /Only the first has the site b\.example/,
    ],
    [
      (run) => {
        run.arms.pop();
        run.trials = run.trials.filter(({ arm }) => arm !== 'flask-h1');
      },
      /Only the first has the stack flask-h1/,
    ],
    [(run) => run.factors.visit?.push('repeat'), /Only the second has the variant repeat/],
    [
      (run) => {
        for (const subject of run.subjects) subject.manifestSha256 = 'ee'.repeat(32);
      },
      /The page a\.example is not the same/,
    ],
    [(run) => (run.preset = 'classic'), /The preset is none and classic/],
    [(run) => run.trials.reverse(), /The planned loads or their order differ/],
    [(run) => (run.planSha256 = 'cd'.repeat(32)), /The digests of the plans differ/],
  ];
  for (const [change, said] of changes) {
    const [first, second] = bySites();
    change(second.run);
    await assertPartsRefused([first, second], said);
  }
});

test('accepts plans that differ only in machine-specific values', async () => {
  const [first, second] = bySites();
  second.run.choices.pinned = null;
  second.run.host.kernel = '7.0';
  second.run.versions.chromium = '157.0';
  second.run.command = ['--plan', 'plan.json'];
  await withParts([first, second], async (folders, out) => {
    assert.equal((await mergeRuns(folders, out)).loads, 48);
  });
});

test('rejects damaged parts with the file and its line', async () => {
  await withParts(bySites(), async (folders, out) => {
    await appendFile(path.join(folders[1] ?? '', pageLoad.recordFile), 'no record\n');
    await assertRefused(folders, out, /part-2.*page-loads\.jsonl, line 25 is not valid JSON/);
  });
  await withParts(bySites(), async (folders, out) => {
    await rm(runFolder(folders[1] ?? '').invocations);
    await assertRefused(folders, out, /invocations\.jsonl is missing/);
  });
  const [first, second] = bySites();
  for (const load of second.observations) load.invocation = 'of-nobody';
  const reason = /part-2: .*invocation of-nobody, which invocations\.jsonl does not have/;
  await assertPartsRefused([first, second], reason);
});

test('rejects a part of an unknown format version', async () => {
  const [first, second] = bySites();
  (second.run as { formatVersion: number }).formatVersion = 99;
  await assertPartsRefused([first, second], /part-2.*formatVersion is 99/);
});

test('rejects an invocation whose name would lead a HAR out of the folder of HARs', async () => {
  const parts = byBlocks();
  for (const { observations, invocations } of parts) {
    const [invocation] = invocations;
    assert.ok(invocation);
    invocation.id = `/../../../${invocation.machine}`;
    for (const load of observations) load.invocation = invocation.id;
  }
  await assertPartsRefused(parts, /id is .*\.\..*expected a name/);
});

test('never writes into an existing folder', async () => {
  await withParts(bySites(), async (folders, out) => {
    await mkdir(out);
    await assertRefused(folders, out, /exists, and nothing is ever overwritten/);
    assert.deepEqual(await readdir(out), []);
  });
});

test('rejects a single folder', async () => {
  await withParts(bySites(), async ([folder = ''], out) => {
    await assert.rejects(mergeRuns([folder], out), UsageError);
  });
});

test('excludes a truncated line, and reports missing HARs', async () => {
  await withParts(bySites(), async (folders, out) => {
    await appendFile(path.join(folders[0] ?? '', pageLoad.recordFile), '{"formatVersion":5,"id"');
    const [load] = (await readObservations(folders[1] ?? '', pageLoad)).observations;
    await rm(path.join(folders[1] ?? '', load?.files.har ?? ''));
    const { loads, notes } = await mergeRuns(folders, out);
    assert.equal(loads, 48);
    assert.match(notes.join('\n'), /part-1: Line 25 .* is truncated/);
    assert.match(notes.join('\n'), /part-2: files missing \(har\): 1\./);
  });
});

test('copies captured packets, and reports missing ones if all were to be kept', async () => {
  const parts = bySites();
  for (const { run, observations } of parts) {
    run.choices.packets = 'all';
    for (const { id, files } of observations) files.packets = `packets/${id}.pcapng`;
  }
  await withParts(parts, async (folders, out) => {
    const [load] = (await readObservations(folders[1] ?? '', pageLoad)).observations;
    await rm(path.join(folders[1] ?? '', load?.files.packets ?? ''));
    const { notes } = await mergeRuns(folders, out);
    assert.match(notes.join('\n'), /part-2: files missing \(packets\): 1\./);
    const { observations } = await readObservations(out, pageLoad);
    for (const { id, files } of observations) {
      if (id === load?.id) continue;
      const text = await readFile(path.join(out, files.packets ?? ''), 'utf8');
      assert.equal(text, `packets of ${id}`);
    }
  });
});

test('merges a merged run again', async () => {
  const parts = [
    partOf('bench', ofSite('a.example'), OPTIONS),
    partOf('barn', ({ subject, block }) => subject === 'b.example' && block < 4, OPTIONS),
    partOf('shed', ({ subject, block }) => subject === 'b.example' && block >= 4, OPTIONS),
  ];
  await withParts(parts, async ([first = '', second = '', third = ''], out) => {
    await mergeRuns([second, third], out);
    const all = `${out}-again`;
    const merged = await mergeRuns([first, out], all);
    assert.deepEqual([merged.loads, merged.machines], [48, ['bench', 'barn', 'shed']]);
    assert.ok((await stat(path.join(runFolder(all).parts, 'barn', 'parts', 'shed'))).isDirectory());
    await assertRefused([out, all], `${out}-thrice`, /both have the invocation/);
  });
});

test('keeps files private in the merged run that only their owner can read', async () => {
  await withParts(bySites(), async (folders, out) => {
    await mergeRuns(folders, out);
    for (const folder of ['har', 'parts/bench/net-log']) {
      assert.equal((await stat(path.join(out, folder))).mode & 0o077, 0, folder);
    }
    // The run itself is to be shared.
    for (const name of ['run.json', '.']) {
      assert.notEqual((await stat(path.join(out, name))).mode & 0o044, 0, name);
    }
  });
});
