import assert from 'node:assert/strict';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import {
  readCalibrations,
  readLooks,
  readObservations,
  readRun,
} from '../../../../ground/records/read.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { madeLook } from '../../made-run.ts';
import { fixtureRun, withRunFolder } from '../../report/fixture-run.ts';

const attemptsIn = (folder: string) => path.join(folder, pageLoad.recordFile);

const readLoads = (folder: string) => readObservations(folder, pageLoad);

type Fields = Record<string, unknown>;

/** Reads a fixture run after damaging a file of it. */
async function afterDamage(
  damage: (folder: string) => Promise<void>,
  read: (folder: string) => Promise<unknown>,
  message: RegExp,
): Promise<void> {
  await withRunFolder(fixtureRun(), async (folder) => {
    await damage(folder);
    await assert.rejects(read(folder), { name: 'DamagedRunError', message });
  });
}

/** Changes one line of page-loads.jsonl or another file, counted from 1. */
function onLine(number: number, change: (fields: Fields) => void, fileIn = attemptsIn) {
  return async (folder: string) => {
    const file = fileIn(folder);
    const lines = (await readFile(file, 'utf8')).split('\n');
    const fields = JSON.parse(lines[number - 1] ?? '');
    change(fields);
    lines[number - 1] = JSON.stringify(fields);
    await writeFile(file, lines.join('\n'));
  };
}

function inRun(change: (run: Fields) => void) {
  return async (folder: string) => {
    const file = runFolder(folder).run;
    const run = JSON.parse(await readFile(file, 'utf8'));
    change(run);
    await writeFile(file, JSON.stringify(run));
  };
}

const inCalibration = (change: (calibration: Fields) => void) =>
  onLine(2, change, (folder) => runFolder(folder).calibrations);

/** Deletes or sets the field at a path. */
function set(...[path, value]: [path: string] | [path: string, value: unknown]) {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  return (fields: Fields) => {
    const parent = steps.reduce((each, step) => each[step] as Fields, fields);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  };
}

test('reads a run as it was written', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    assert.deepEqual(await readRun(folder), fixture.run);
    assert.deepEqual(await readLoads(folder), {
      observations: fixture.observations,
      warnings: [],
    });
    assert.deepEqual(await readCalibrations(folder), {
      calibrations: fixture.calibrations,
      warnings: [],
    });
  });
});

test('reads and checks traffic if it is present', async () => {
  const traffic = {
    responses200: 3,
    errorResponses: 0,
    failedRequests: 0,
    protocols: { h3: 3 },
    tlsVersion: 'QUIC',
    cipher: null,
    connectionsByHost: { 'a.test': 1 },
    keyExchangeGroup: null,
    fromCache: 0,
    responseHeaderNames: ['date'],
    responseHeadersSha256: 'ef'.repeat(32),
  };
  const fixture = fixtureRun({
    change: (load) => {
      load.details = { phasesMs: null, replay: null, traffic };
    },
  });
  await withRunFolder(fixture, async (folder) => {
    assert.deepEqual((await readLoads(folder)).observations[0]?.details, {
      phasesMs: null,
      replay: null,
      traffic,
    });
    await onLine(1, set('details.traffic.fromCache', 'many'))(folder);
    await assert.rejects(readLoads(folder), /line 1: details\.traffic\.fromCache is "many"/);
  });
});

test('excludes a truncated last line with a warning', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    const file = attemptsIn(folder);
    const { length } = await readFile(file);
    await truncate(file, length - 20);
    const { observations, warnings } = await readLoads(folder);
    assert.equal(observations.length, fixture.observations.length - 1);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /Line 42 of page-loads\.jsonl is truncated/);
  });
});

test('reads a last line that lacks only its line feed', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    const file = attemptsIn(folder);
    await truncate(file, (await readFile(file)).length - 1);
    assert.deepEqual(await readLoads(folder), {
      observations: fixture.observations,
      warnings: [],
    });
  });
});

test('reads a run without page loads that was interrupted before its first load', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await truncate(attemptsIn(folder), 0);
    assert.deepEqual(await readLoads(folder), { observations: [], warnings: [] });
  });
});

test('reads a run without calibrations.jsonl, with a warning', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await rm(runFolder(folder).calibrations);
    const { calibrations, warnings } = await readCalibrations(folder);
    assert.deepEqual(calibrations, []);
    assert.match(warnings.join(), /calibrations\.jsonl is missing/);
  });
});

test('excludes a truncated calibration with a warning', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    const file = runFolder(folder).calibrations;
    await truncate(file, (await readFile(file)).length - 20);
    const { calibrations, warnings } = await readCalibrations(folder);
    assert.equal(calibrations.length, 3);
    assert.match(
      warnings.join(),
      /Line 4 of calibrations\.jsonl is truncated.*That calibration is excluded/,
    );
  });
});

test('reads a load without a measured path', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    await onLine(1, set('path', null))(folder);
    assert.equal((await readLoads(folder)).observations[0]?.path, null);
  });
});

type Damage = [
  damage: (folder: string) => Promise<void>,
  read: (folder: string) => Promise<unknown>,
  message: RegExp,
];

const DAMAGES: Record<string, Damage[]> = {
  'names missing files': [
    [(folder) => rm(runFolder(folder).run), readRun, /run\.json is missing/],
    [(folder) => rm(attemptsIn(folder)), readLoads, /page-loads\.jsonl is missing/],
  ],
  'rejects a damaged line before the last with its number': [
    [
      (folder) => appendFile(attemptsIn(folder), '{"cut\n'),
      readLoads,
      /page-loads\.jsonl, line 43 is not valid JSON/,
    ],
  ],
  'rejects wrong versions with both numbers': [
    [
      onLine(2, set('formatVersion', 1)),
      readLoads,
      /line 2: formatVersion is 1, this version reads 6/,
    ],
    [
      inRun(set('formatVersion')),
      readRun,
      /run\.json: formatVersion is missing, this version reads 6/,
    ],
  ],
  'names missing and impossible fields': [
    [onLine(3, set('outcome')), readLoads, /line 3: outcome is missing/],
    [onLine(3, set('outcome', 'fine')), readLoads, /line 3: outcome is "fine"/],
    [
      onLine(3, set('metrics', { pageLoadMs: 'fast' })),
      readLoads,
      /line 3: metrics\.pageLoadMs is "fast"/,
    ],
    [onLine(3, set('network', null)), readLoads, /line 3: network is null/],
    [
      inRun(set('subjects', [{ subject: 'a' }])),
      readRun,
      /run\.json: subjects\[0\]\.url is missing/,
    ],
    [inRun(set('host', {})), readRun, /run\.json: host\.os is missing/],
  ],
  'rejects a repeated id with both lines': [
    [
      async (folder) => {
        const file = attemptsIn(folder);
        const [first] = (await readFile(file, 'utf8')).split('\n');
        await appendFile(file, `${first}\n`);
      },
      readLoads,
      /line 43: id s1\..* stands on line 1 already/,
    ],
  ],
  'rejects run.json that is no JSON, and names it': [
    [(folder) => writeFile(runFolder(folder).run, '{'), readRun, /run\.json is not valid JSON/],
  ],
  'rejects a damaged calibration that is not truncated': [
    [inCalibration(set('subject')), readCalibrations, /line 2: subject is missing/],
    [
      inCalibration(set('requested.rttMs', null)),
      readCalibrations,
      /line 2: requested\.rttMs is null/,
    ],
    [
      inCalibration(set('tcpRttMs.median', '30')),
      readCalibrations,
      /line 2: tcpRttMs\.median is "30"/,
    ],
  ],
  'checks networks and the path': [
    [
      onLine(1, set('network.backend', 'loopback')),
      readLoads,
      /line 1: network\.backend is "loopback"/,
    ],
    [
      onLine(1, set('network.burstLoss', { enterPercent: 1 })),
      readLoads,
      /line 1: network\.burstLoss\.leavePercent is missing/,
    ],
    [onLine(1, set('path.toClient', {})), readLoads, /line 1: path\.toClient\.packets is missing/],
    [onLine(1, set('path')), readLoads, /line 1: path is missing/],
    [
      inRun(set('networks', [{ name: 'none' }])),
      readRun,
      /run\.json: networks\[0\]\.rttMs is missing/,
    ],
    [
      inRun((run) => {
        run.networks = [(run.networks as object[])[0], (run.networks as object[])[0]];
      }),
      readRun,
      /run\.json: networks\[1\]\.name is "none" once more/,
    ],
  ],
  'checks the fairness manifest down to its readings': [
    [inRun(set('fairness')), readRun, /run\.json: fairness is missing/],
    [
      inRun(set('fairness.client.deviceMtuBytes')),
      readRun,
      /fairness\.client\.deviceMtuBytes is missing/,
    ],
    [inRun(set('fairness.server.tcpEcn', 0)), readRun, /fairness\.server\.tcpEcn is 0/],
  ],
};

for (const [name, damages] of Object.entries(DAMAGES)) {
  test(name, async () => {
    for (const damage of damages) await afterDamage(...damage);
  });
}

const decided = [{ network: 'none', variant: 'cold' }];
const LOOKS = [
  madeLook({ order: 20, fraction: 0.5, decided }),
  madeLook({ order: 40, decided, end: 'budget' }),
];

const linesOf = (looks: readonly unknown[]) =>
  looks.map((look) => `${JSON.stringify(look)}\n`).join('');

test('reads looks in order, and none from a run without looks', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    assert.deepEqual(await readLooks(folder), []);
    await writeFile(runFolder(folder).looks, linesOf(LOOKS));
    assert.deepEqual(await readLooks(folder), LOOKS);
  });
});

test('excludes a truncated last look, and rejects damage before it', async () => {
  await withRunFolder(fixtureRun(), async (folder) => {
    const file = runFolder(folder).looks;
    await writeFile(file, linesOf(LOOKS).slice(0, -30));
    assert.deepEqual(await readLooks(folder), LOOKS.slice(0, 1));
    await writeFile(file, `{"cut\n${linesOf(LOOKS)}`);
    await assert.rejects(readLooks(folder), /looks\.jsonl, line 1 is not valid JSON/);
    await writeFile(file, linesOf([LOOKS[0], { ...LOOKS[1], fraction: 1.5 }]));
    await assert.rejects(readLooks(folder), /looks\.jsonl, line 2: fraction is 1\.5/);
  });
});
