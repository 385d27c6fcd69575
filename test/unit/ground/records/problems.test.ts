import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import {
  problemOfCalibration,
  problemOfObservation,
  problemOfRun,
} from '../../../../ground/records/problems.ts';
import type { RunRecord } from '../../../../ground/records/run.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

const problemOfLoad = problemOfObservation(pageLoad.details);

function problemAfter(change: (run: RunRecord) => void): string | null {
  const { run } = fixtureRun();
  change(run);
  return problemOfRun(run);
}

/** The first entry, which then occurs twice. */
function repeat<T>(list: T[]): void {
  list.push(list[0] as T);
}

test('finds no problem in the records of a made-up run, over every kind of visit and backend', () => {
  for (const backend of ['netem', 'userspace'] as const) {
    const fixture = fixtureRun({ backend, visits: ['cold', 'repeat', 'resumed'] });
    assert.equal(problemOfRun(fixture.run), null);
    for (const load of fixture.observations) assert.equal(problemOfLoad(load), null);
    for (const calibration of fixture.calibrations) {
      assert.equal(problemOfCalibration(calibration), null);
    }
  }
});

test('rejects repeated names and ids in a run', () => {
  assert.equal(
    problemAfter(({ subjects }) => repeat(subjects)),
    'subjects[2].subject is "www.iana.org" once more',
  );
  assert.equal(
    problemAfter(({ arms }) => repeat(arms)),
    'arms[3].arm is "lsquic-h3" once more',
  );
  assert.equal(
    problemAfter(({ networks }) => repeat(networks)),
    'networks[2].name is "none" once more',
  );
  assert.match(
    problemAfter(({ trials }) => repeat(trials)) ?? '',
    /^trials\[42\]\.id is "s1\.none\..*" once more$/,
  );
});

test('rejects repeated or missing values of a factor', () => {
  assert.equal(
    problemAfter(({ factors }) => repeat(factors.visit ?? [])),
    'factors.visit is ["cold","cold"], expected each of them once',
  );
  assert.equal(
    problemAfter(({ factors }) => factors.visit?.pop()),
    'factors.visit is [], expected at least 1 of them',
  );
});

test('rejects a baseline, a twin or a control of a stack that the run lacks', () => {
  assert.equal(
    problemAfter(({ analysis }) => {
      analysis.baseline = 'nginx-h2';
    }),
    'analysis.baseline is "nginx-h2", expected one of lsquic-h3, bun-h2, flask-h1',
  );
  assert.equal(
    problemAfter(({ arms }) => {
      Object.assign(arms[1] as object, { controlOf: 'nginx-h2' });
    }),
    'arms[1].controlOf is "nginx-h2", expected one of lsquic-h3, bun-h2, flask-h1',
  );
  assert.equal(
    problemAfter(({ arms }) => {
      Object.assign(arms[2] as object, { comparedWith: 'nginx-h2' });
    }),
    'arms[2].comparedWith is "nginx-h2", expected one of lsquic-h3, bun-h2, flask-h1',
  );
});

test('rejects settings that cannot apply to the server of an arm', () => {
  const problemWith = (index: number, change: Partial<RunRecord['arms'][number]>) =>
    problemAfter(({ arms }) => void Object.assign(arms[index] as object, change));
  const paced = { pacesTcp: true };
  const shared = { origins: 'shared' } as const;
  assert.equal(problemWith(1, { settings: { ...paced, ...shared } }), null);
  assert.equal(problemWith(0, { settings: shared }), null);
  assert.equal(
    problemWith(0, { settings: paced }),
    'arms[0].settings.pacesTcp: h3 is not over TCP',
  );
  const own = { url: 'https://localhost:8443' };
  assert.equal(
    problemWith(1, { own, settings: paced }),
    'arms[1].settings.pacesTcp: the run does not start its server',
  );
  assert.equal(
    problemWith(1, { stack: 'live', settings: shared }),
    'arms[1].settings.origins: the run does not start its server',
  );
  assert.equal(problemWith(1, { settings: paced, under: { none: paced } }), null);
  assert.equal(
    problemWith(1, { settings: paced, under: { none: {} } }),
    'arms[1].settings.pacesTcp: none has another, and the server is the same',
  );
});

test('rejects another version before reading its fields', () => {
  assert.match(
    problemOfRun({ formatVersion: 2 }) ?? '',
    /^formatVersion is 2, this version reads 6/,
  );
  assert.equal(problemOfLoad({}), 'formatVersion is missing, this version reads 6');
});

test('reports what is no object', () => {
  for (const problemOf of [problemOfRun, problemOfLoad, problemOfCalibration]) {
    for (const value of [null, [], 'text', 7]) assert.equal(problemOf(value), 'not an object');
  }
});

test("rejects a file outside the run's folder", () => {
  const [load] = fixtureRun().observations;
  const paths = [
    '../secret.har',
    '/etc/passwd',
    'har/../run.json',
    'har/a/b.har',
    'har/..',
    'a.har',
  ];
  for (const har of paths) {
    assert.match(problemOfLoad({ ...load, files: { har } }) ?? 'accepted', /^files\.har is /, har);
  }
  assert.equal(problemOfLoad({ ...load, files: { har: 'har/a.har.gz' } }), null);
});

test('rejects a moment that is not in UTC', () => {
  const [load] = fixtureRun().observations;
  assert.match(
    problemOfLoad({ ...load, startedAt: '2026-11-20T10:00:00+01:00' }) ?? 'accepted',
    /^startedAt is /,
  );
});
