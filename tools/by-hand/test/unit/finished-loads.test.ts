import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import {
  DELAYED,
  type Fixture,
  fixtureRun,
  NONE,
  spoil,
  withRunFolder,
} from '../../../../test/unit/report/fixture-run.ts';
import { summaryOf } from '../../../../test/unit/report/reported.ts';
import {
  type FinishedRun,
  loadsNamed,
  medianLoadsWithHars,
  readFinishedRun,
  whyNoMedians,
} from '../../finished-loads.ts';

const SITES = ['a.example', 'b.example'];

function made(): Fixture {
  return fixtureRun({
    subjects: SITES,
    networks: [NONE, DELAYED],
    repetitions: 3,
    change: (load) => {
      if (load.id === 's1.none.bun-h2.1') spoil(load, 'failed', 'timeout', 'too late');
    },
  });
}

function everyHar({ observations }: Fixture): string[] {
  return observations.flatMap(({ files }) => files.har ?? []);
}

/** The run with the HARs of all loads, or the given ones. */
async function withRun(
  fixture: Fixture,
  use: (run: FinishedRun) => void | Promise<void>,
  hars: readonly string[] = everyHar(fixture),
): Promise<void> {
  await withRunFolder(fixture, async (folder) => {
    await mkdir(path.join(folder, 'har'));
    for (const har of hars) await writeFile(path.join(folder, har), '{}');
    await use(await readFinishedRun(folder, assert.fail));
  });
}

test('finds a load by its id, even if it is a prefix, and by a unique part', () =>
  withRun(made(), (run) => {
    const ids = (...words: string[]) => loadsNamed(run, words).map(({ id }) => id);
    const id = 's2.30ms.lsquic-h3.2';
    assert.deepEqual(ids(id), [id]);
    // Named twice, it is one load.
    assert.deepEqual(ids(id, '2.30ms.lsquic-h3.2'), [id]);
    assert.deepEqual(ids('s2.30ms.lsquic-h3.2', 's1.30ms.bun-h2.3'), [id, 's1.30ms.bun-h2.3']);
    const longer = { ...loadsNamed(run, [id])[0], id: `${id}0` } as FinishedRun['loads'][number];
    assert.deepEqual(
      loadsNamed({ ...run, loads: [longer, ...run.loads] }, [id]).map((load) => load.id),
      [id],
    );
  }));

test('rejects a word that matches several loads or no load, and lists ids', () =>
  withRun(made(), (run) => {
    assert.throws(
      () => loadsNamed(run, ['lsquic-h3.2']),
      /lsquic-h3\.2 matches s1\.none\.lsquic-h3\.2, s1\.30ms\.lsquic-h3\.2, .*Name one of them/,
    );
    assert.throws(
      () => loadsNamed(run, ['nope']),
      /nope: no id of a load in .* contains this.* more\./,
    );
    assert.throws(
      () => loadsNamed(run, ['s1.none.bun-h2.1']),
      /s1\.none\.bun-h2\.1 has no HAR: timeout\./,
    );
  }));

test('explains a missing HAR by what the run keeps', async () => {
  for (const [kept, words] of [
    ['all', /the file was removed/],
    ['median', /keeps only median HARs .*--hars all keeps all/],
    ['none', /keeps no HARs .*--hars all keeps all.*Loads with a HAR: none\./],
  ] as const) {
    const fixture = made();
    fixture.run.choices.hars = kept;
    const hars = kept === 'none' ? [] : ['har/s1.none.lsquic-h3.1.har'];
    await withRun(
      fixture,
      (run) => assert.throws(() => loadsNamed(run, ['s2.30ms.bun-h2.1']), words),
      hars,
    );
  }
});

test('finds the median loads of the report, by site and condition, without those whose HARs are gone', async () => {
  const fixture = made();
  const medians = summaryOf(fixture).rows.flatMap(({ loads }) => loads?.median ?? []);
  assert.equal(medians.length, 12);
  await withRun(fixture, (run) => {
    const found = medianLoadsWithHars(run);
    assert.equal(found.length, 4);
    assert.deepEqual(
      found
        .flat()
        .map(({ id }) => id)
        .toSorted(),
      medians.toSorted(),
    );
    for (const cell of found) {
      assert.deepEqual(
        cell.map(({ arm }) => arm),
        fixture.run.arms.map(({ arm }) => arm),
      );
    }
  });
  await withRun(fixture, async ({ folder, loads }) => {
    for (const { har, arm } of loads) if (har !== null && arm === 'bun-h2') await rm(har);
    const left = medianLoadsWithHars(await readFinishedRun(folder, assert.fail)).flat();
    assert.equal(left.length, 8);
    assert.ok(left.every(({ arm }) => arm !== 'bun-h2'));
  });
});

test('without a median HAR it lists loads with a HAR, or says why no HAR exists', async () => {
  const fixture = made();
  fixture.run.choices.hars = 'none';
  const [load] = fixture.observations.filter(({ warmup }) => warmup);
  assert.ok(load?.files.har);
  for (const [hars, words] of [
    [[], /^There is no HAR in .*: of ok loads the run keeps no HARs \(--hars none\)/],
    [[load.files.har], /^The run in .* Name the load to open: s1\.none\.[\w-]+\.warm-up\.$/],
  ] as const) {
    await withRun(
      fixture,
      (run) => {
        assert.deepEqual(medianLoadsWithHars(run), []);
        assert.match(whyNoMedians(run), words);
      },
      hars,
    );
  }
});

test('reports a run without HARs, and what has them', async () => {
  const fixture = made();
  for (const load of fixture.observations) load.files = {};
  await assert.rejects(
    withRun(fixture, () => {}, []),
    /has \d+ loads without HARs\. Page loads have HARs/,
  );
});
