import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Observation } from '../../../ground/records/observation.ts';
import { summarise } from '../../../report/summary/summary.ts';
import { keptFiles } from '../../../runner/kept-files.ts';
import {
  DELAYED,
  type Fixture,
  fixtureRun,
  NONE,
  spoil,
  withRunFolder,
} from '../report/fixture-run.ts';

/** A folder with the HARs of all loads; `hars` names the remaining ones. */
async function withHars(
  fixture: Fixture,
  use: (folder: string, hars: () => Promise<string[]>) => Promise<void>,
): Promise<void> {
  await withRunFolder(fixture, async (folder) => {
    await mkdir(path.join(folder, 'har'));
    for (const { files } of fixture.observations) {
      if (files.har !== undefined) await writeFile(path.join(folder, files.har), '{}');
    }
    await use(folder, async () => (await readdir(path.join(folder, 'har'))).toSorted());
  });
}

function namesOf(loads: readonly Observation[]): string[] {
  return loads.flatMap(({ files }) => files.har?.slice('har/'.length) ?? []).toSorted();
}

/** The loads whose HARs a choice of medians keeps, according to the report. */
function medianAndBad({ run, observations }: Fixture): Observation[] {
  const medians = new Set(
    summarise(run, observations).rows.flatMap(({ loads }) => loads?.median ?? []),
  );
  return observations.filter(({ id, outcome }) => medians.has(id) || outcome !== 'ok');
}

function run(hars: 'all' | 'median' | 'none'): Fixture {
  const fixture = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 5,
    change: (load) => {
      if (load.order === 9) spoil(load, 'invalid', 'wrong-protocol', 'h2');
      if (load.order === 3) spoil(load, 'invalid', 'wrong-protocol', 'h2');
    },
  });
  fixture.run.choices.hars = hars;
  return fixture;
}

/** The same with packets instead of HARs. */
async function withPackets(
  packets: NonNullable<Fixture['run']['choices']['packets']>,
  use: (fixture: Fixture, folder: string, left: () => Promise<string[]>) => Promise<void>,
): Promise<void> {
  const fixture = run('all');
  fixture.run.choices.packets = packets;
  for (const load of fixture.observations) {
    const isCaptured = packets === 'warm-ups' ? load.warmup : true;
    load.files = isCaptured ? { packets: `packets/${load.id}.pcapng` } : {};
  }
  await withRunFolder(fixture, async (folder) => {
    await mkdir(path.join(folder, 'packets'));
    for (const { files } of fixture.observations) {
      if (files.packets) await writeFile(path.join(folder, files.packets), 'packets');
    }
    const left = async () => (await readdir(path.join(folder, 'packets'))).toSorted();
    await use(fixture, folder, left);
  });
}

test('keeps packets like HARs: of all attempts or of the median ones, and of those that are not ok', async () => {
  for (const packets of ['all', 'median', 'warm-ups'] as const) {
    await withPackets(packets, async (fixture, folder, left) => {
      const { run: plan, observations } = fixture;
      const kept = keptFiles(folder, plan);
      for (const load of observations) await kept.made(load);
      const expected = {
        all: observations,
        median: medianAndBad(fixture),
        'warm-ups': observations.filter(({ warmup }) => warmup),
      }[packets];
      assert.ok(expected.length > 0);
      assert.deepEqual(await left(), expected.map(({ id }) => `${id}.pcapng`).toSorted());
    });
  }
});

test('keeps HARs and packets of the same run each by its own choice', async () => {
  await withPackets('median', async (fixture, folder, left) => {
    fixture.run.choices.hars = 'none';
    await mkdir(path.join(folder, 'har'), { recursive: true });
    for (const load of fixture.observations) {
      load.files.har = `har/${load.id}.har`;
      await writeFile(path.join(folder, load.files.har), '{}');
    }
    const kept = keptFiles(folder, fixture.run);
    for (const load of fixture.observations) await kept.made(load);
    const bad = fixture.observations.filter(({ outcome }) => outcome !== 'ok');
    assert.deepEqual(
      (await readdir(path.join(folder, 'har'))).toSorted(),
      bad.map(({ id }) => `${id}.har`).toSorted(),
    );
    assert.equal((await left()).length, medianAndBad(fixture).length);
  });
});

test('keeps every HAR with all', async () => {
  const fixture = run('all');
  await withHars(fixture, async (folder, hars) => {
    const kept = keptFiles(folder, fixture.run);
    for (const load of fixture.observations) await kept.made(load);
    await kept.endAsItIs();
    assert.deepEqual(await hars(), namesOf(fixture.observations));
  });
});

test('keeps with none the HARs of loads that are not ok, as soon as they are made', async () => {
  const fixture = run('none');
  await withHars(fixture, async (folder, hars) => {
    const kept = keptFiles(folder, fixture.run);
    const [first] = fixture.observations;
    assert.ok(first);
    await kept.made(first);
    assert.deepEqual(await hars(), namesOf(fixture.observations.slice(1)));
    for (const load of fixture.observations) await kept.made(load);
    const bad = fixture.observations.filter(({ outcome }) => outcome !== 'ok');
    assert.equal(bad.length, 2);
    assert.deepEqual(await hars(), namesOf(bad));
  });
});

test('keeps with median exactly the loads of the report, and those that are not ok', async () => {
  for (const metric of ['pageLoadMs', 'documentMs']) {
    const fixture = run('median');
    fixture.run.analysis.metric = metric;
    await withHars(fixture, async (folder, hars) => {
      const kept = keptFiles(folder, fixture.run);
      for (const load of fixture.observations) await kept.made(load);
      const expected = medianAndBad(fixture);
      assert.equal(expected.length, 2 * 2 * 3 + 2);
      assert.deepEqual(await hars(), namesOf(expected));
    });
  }
});

test('removes nothing before all loads of a site under a condition are made', async () => {
  const fixture = run('median');
  await withHars(fixture, async (folder, hars) => {
    const kept = keptFiles(folder, fixture.run);
    // Warm-ups and 5 blocks of 3 stacks make up the first condition.
    for (const load of fixture.observations.slice(0, 17)) await kept.made(load);
    assert.equal((await hars()).length, fixture.observations.length);
    for (const load of fixture.observations.slice(17, 18)) await kept.made(load);
    const rest = namesOf(fixture.observations.slice(18));
    assert.equal((await hars()).length, rest.length + 3 + 2);
  });
});

test('finishes in a later invocation what an earlier one began or had no time to remove', async () => {
  const fixture = run('median');
  const { observations } = fixture;
  const interrupted = { ...fixture, observations: observations.slice(0, 26) };
  await withHars(interrupted, async (folder, hars) => {
    for (const { files } of observations.slice(26)) {
      if (files.har !== undefined) await writeFile(path.join(folder, files.har), '{}');
    }
    const kept = keptFiles(folder, fixture.run);
    await kept.readMade();
    for (const load of observations.slice(26)) await kept.made(load);
    assert.deepEqual(await hars(), namesOf(medianAndBad(fixture)));
  });
});

test('is done on a machine with a part of the plan when its part is', async () => {
  const fixture = run('median');
  const own = fixture.observations.filter(({ block }) => block <= 3);
  const part = { ...fixture, observations: own };
  await withHars(part, async (folder, hars) => {
    const kept = keptFiles(folder, fixture.run, new Set(own.map(({ id }) => id)));
    for (const load of own) await kept.made(load);
    assert.deepEqual(await hars(), namesOf(medianAndBad(part)));
  });
});

test('keeps the medians of what a worker with some of the blocks made', async () => {
  const fixture = run('median');
  const part = { ...fixture, observations: fixture.observations.filter(({ block }) => block > 2) };
  await withHars(part, async (folder, hars) => {
    const kept = keptFiles(folder, fixture.run);
    for (const load of part.observations) await kept.made(load);
    assert.equal((await hars()).length, part.observations.length);
    await kept.endAsItIs();
    assert.deepEqual(await hars(), namesOf(medianAndBad(part)));
  });
});

test('leaves no HAR of warm-ups that are repeated after a condition is done', async () => {
  const fixture = run('median');
  const [first] = fixture.observations;
  assert.ok(first);
  const again = { ...first, id: 'again', files: { har: 'har/again.har' } };
  await withHars(fixture, async (folder, hars) => {
    await writeFile(path.join(folder, 'har/again.har'), '{}');
    const kept = keptFiles(folder, fixture.run);
    for (const load of [...fixture.observations, again]) await kept.made(load);
    assert.deepEqual(await hars(), namesOf(medianAndBad(fixture)));
  });
});
