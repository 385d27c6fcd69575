import assert from 'node:assert/strict';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DamagedRunError, readPageLoads, readRun } from '../../../records/read.ts';
import { runFolder } from '../../../records/run-folder.ts';
import { fixtureRun, withRunFolder } from '../report/fixture-run.ts';

/** Reads a fixture run after its file was damaged. */
async function afterDamage(
  damage: (folder: string) => Promise<void>,
  read: (folder: string) => Promise<unknown>,
  message: RegExp,
): Promise<void> {
  await withRunFolder(fixtureRun(), async (folder) => {
    await damage(folder);
    await assert.rejects(read(folder), (error) => {
      assert.ok(error instanceof DamagedRunError);
      assert.match(error.message, message);
      return true;
    });
  });
}

/** Changes one line of page-loads.jsonl, counted from 1. */
function onLine(number: number, change: (load: Record<string, unknown>) => void) {
  return async (folder: string) => {
    const file = runFolder(folder).pageLoads;
    const lines = (await readFile(file, 'utf8')).split('\n');
    const load = JSON.parse(lines[number - 1] ?? '');
    change(load);
    lines[number - 1] = JSON.stringify(load);
    await writeFile(file, lines.join('\n'));
  };
}

/** Changes run.json. */
function inRun(change: (run: Record<string, unknown>) => void) {
  return async (folder: string) => {
    const file = runFolder(folder).run;
    const run = JSON.parse(await readFile(file, 'utf8'));
    change(run);
    await writeFile(file, JSON.stringify(run));
  };
}

test('a run is read back as it was written', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    assert.deepEqual(await readRun(folder), fixture.run);
    assert.deepEqual(await readPageLoads(folder), { pageLoads: fixture.pageLoads, warnings: [] });
  });
});

test('traffic is read and checked where it is there', async () => {
  const traffic = {
    requests: 3,
    responses200: 3,
    errorResponses: 0,
    failedRequests: 0,
    wireBytes: null,
    connections: 1,
    protocols: { h3: 3 },
    tlsVersion: 'QUIC',
    cipher: null,
  };
  const fixture = fixtureRun({
    change: (load) => {
      load.traffic = traffic;
    },
  });
  await withRunFolder(fixture, async (folder) => {
    assert.deepEqual((await readPageLoads(folder)).pageLoads[0]?.traffic, traffic);
    await onLine(1, (load) => {
      load.traffic = { ...traffic, requests: 'many' };
    })(folder);
    await assert.rejects(readPageLoads(folder), /line 1: traffic\.requests is "many"/);
  });
});

test('missing files are named', async () => {
  await afterDamage((folder) => rm(runFolder(folder).run), readRun, /run\.json is missing/);
  await afterDamage(
    (folder) => rm(runFolder(folder).pageLoads),
    readPageLoads,
    /page-loads\.jsonl is missing/,
  );
});

test('a last line that was cut is left out with a warning', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    const file = runFolder(folder).pageLoads;
    const { length } = await readFile(file);
    await truncate(file, length - 20);
    const { pageLoads, warnings } = await readPageLoads(folder);
    assert.equal(pageLoads.length, fixture.pageLoads.length - 1);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /Line 24 of page-loads\.jsonl was cut in the middle/);
  });
});

test('a last line that lacks only its line feed is whole', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    const file = runFolder(folder).pageLoads;
    await truncate(file, (await readFile(file)).length - 1);
    assert.deepEqual(await readPageLoads(folder), { pageLoads: fixture.pageLoads, warnings: [] });
  });
});

test('a run that was interrupted before its first load has no page loads', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await truncate(runFolder(folder).pageLoads, 0);
    assert.deepEqual(await readPageLoads(folder), { pageLoads: [], warnings: [] });
  });
});

test('a damaged line anywhere else is an error with its number', async () => {
  await afterDamage(
    async (folder) => {
      await appendFile(runFolder(folder).pageLoads, '{"cut\n');
    },
    readPageLoads,
    /page-loads\.jsonl, line 25 is not valid JSON/,
  );
});

test('wrong versions are refused with both numbers', async () => {
  await afterDamage(
    onLine(2, (load) => {
      load.formatVersion = 2;
    }),
    readPageLoads,
    /line 2: formatVersion is 2, this version reads 1/,
  );
  await afterDamage(
    inRun((run) => {
      delete run.formatVersion;
    }),
    readRun,
    /run\.json: formatVersion is missing, this version reads 1/,
  );
});

test('missing and impossible fields are named', async () => {
  await afterDamage(
    onLine(3, (load) => {
      delete load.outcome;
    }),
    readPageLoads,
    /line 3: outcome is missing/,
  );
  await afterDamage(
    onLine(3, (load) => {
      load.outcome = 'fine';
    }),
    readPageLoads,
    /line 3: outcome is "fine"/,
  );
  await afterDamage(
    onLine(3, (load) => {
      load.timingsMs = { pageLoad: 1 };
    }),
    readPageLoads,
    /line 3: timingsMs\.documentTime is missing/,
  );
  await afterDamage(
    onLine(3, (load) => {
      load.network = null;
    }),
    readPageLoads,
    /line 3: network is null/,
  );
  await afterDamage(
    inRun((run) => {
      run.sites = [{ site: 'a' }];
    }),
    readRun,
    /run\.json: sites\[0\]\.url is missing/,
  );
  await afterDamage(
    inRun((run) => {
      run.host = {};
    }),
    readRun,
    /run\.json: host\.os is missing/,
  );
});

test('an id that stands twice is an error with both lines', async () => {
  await afterDamage(
    async (folder) => {
      const file = runFolder(folder).pageLoads;
      const [first] = (await readFile(file, 'utf8')).split('\n');
      await appendFile(file, `${first}\n`);
    },
    readPageLoads,
    /line 25: id s1-.* stands on line 1 already/,
  );
});

test('run.json that is no JSON is an error that names it', async () => {
  await afterDamage(
    (folder) => writeFile(runFolder(folder).run, '{'),
    readRun,
    /run\.json is not valid JSON/,
  );
});
