import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import { siteStories } from '../../../../report/sections/site-stories.ts';
import { fixtureRun, withRunFolder } from '../fixture-run.ts';
import { summaryOf } from '../reported.ts';
import { madeUpHar } from './made-up-har.ts';

const SITE = 'www.iana.org';

/** The address of a request identifies the load of the HAR. */
async function writeHar(folder: string, load: Observation): Promise<void> {
  assert.ok(load.files.har);
  const requests = [
    { url: `https://${load.subject}/`, startMs: 0, connect: 31, wait: 32 },
    { url: `https://${load.subject}/of-${load.id}`, startMs: 80, wait: 30, receive: 9 },
  ];
  await mkdir(path.join(folder, 'har'), { recursive: true });
  await writeFile(path.join(folder, load.files.har), JSON.stringify(madeUpHar(requests, 100)));
}

test('has a story for each site under each condition, from the median load of each stack', async () => {
  const fixture = fixtureRun();
  await withRunFolder(fixture, async (folder) => {
    for (const load of fixture.observations) await writeHar(folder, load);
    const summary = summaryOf(fixture);
    const stories = await siteStories(folder, fixture.run, summary, fixture.observations);
    assert.deepEqual(
      stories.map(({ subject, network, variant }) => [subject, network, variant]),
      [SITE, 'www.wikipedia.org'].flatMap((subject) => [
        [subject, 'none', 'cold'],
        [subject, '30ms', 'cold'],
      ]),
    );
    const medians = summary.rows
      .filter(({ subject, network }) => subject === SITE && network.name === '30ms')
      .map(({ loads }) => loads?.median);
    const text = stories[1]?.markup.text ?? '';
    const drawn = [...text.matchAll(/<th scope="row">\/of-([^<]*)</g)].map(([, id]) => id);
    assert.deepEqual(drawn, medians);
    assert.equal(drawn.length, 3);
  });
});

test('shows reasons in place of waterfalls for missing or damaged HARs', async () => {
  const fixture = fixtureRun({ subjects: [SITE], repetitions: 1, warmups: false });
  await withRunFolder(fixture, async (folder) => {
    const [first, second, third] = fixture.observations.filter(
      ({ network }) => network.name === '30ms',
    );
    assert.ok(first && second?.files.har && third);
    await writeHar(folder, first);
    await writeFile(path.join(folder, second.files.har), '{"log":');
    third.files = {};
    const summary = summaryOf(fixture);
    const stories = await siteStories(folder, fixture.run, summary, fixture.observations);
    const text = stories.find(({ network }) => network === '30ms')?.markup.text ?? '';
    assert.equal(text.match(/<svg /g)?.length, 1);
    assert.match(text, /no waterfall, because the HAR of its median load is not valid JSON\./);
    assert.match(text, /no waterfall, because its median load has no HAR\./);
    const gone = stories.find(({ network }) => network === 'none')?.markup.text ?? '';
    assert.match(gone, /No waterfalls: .*: the HAR of its median load is missing\./);
  });
});

test('excludes uncounted loads from drawings and times', async () => {
  const fixture = fixtureRun({ subjects: [SITE], repetitions: 2, warmups: false });
  const loads = fixture.observations;
  for (const load of loads) {
    assert.ok(load.details);
    load.details.phasesMs = { setUp: load.repetition, waiting: 0, transfer: 0, rest: 0 };
    if (load.repetition === 2 && load.arm === 'flask-h1') load.outcome = 'invalid';
  }
  await withRunFolder(fixture, async (folder) => {
    for (const load of loads) await writeHar(folder, load);
    const summary = summaryOf(fixture);
    const [story] = await siteStories(folder, fixture.run, summary, loads);
    const text = story?.markup.text ?? '';
    assert.match(
      text,
      /Over 2 loads of lsquic \(h3\), 2 loads of Bun \(h2\), 1 load of Flask \(http\/1\.1\)\./,
    );
    assert.match(text, /of-s1\.none\.flask-h1\.1</);
    assert.doesNotMatch(text, /of-s1\.none\.flask-h1\.2</);
  });
});

test('limits the waterfalls of many large sites to the room of one report', async () => {
  const fixture = fixtureRun({
    subjects: Array.from({ length: 20 }, (_, index) => `site-${index}.example`),
    repetitions: 1,
    warmups: false,
  });
  const requests = Array.from({ length: 130 }, (_, index) => ({
    url: `https://site-0.example/a-path-of-some-length/file-${index}.js`,
    startMs: index,
    blocked: 2,
    wait: 30 + index,
    receive: 9,
  }));
  const text = JSON.stringify(madeUpHar(requests));
  await withRunFolder(fixture, async (folder) => {
    await mkdir(path.join(folder, 'har'));
    for (const { files } of fixture.observations) {
      await writeFile(path.join(folder, files.har ?? ''), text);
    }
    const summary = summaryOf(fixture);
    const stories = await siteStories(folder, fixture.run, summary, fixture.observations);
    const figures = stories.map(
      ({ markup }) => /<figure>.*<\/figure>/s.exec(markup.text)?.[0] ?? '',
    );
    const characters = figures.join('').length;
    assert.ok(characters > 1_150_000 && characters <= 1_250_000, String(characters));
    const rows = figures.map((figure) => figure.match(/<th scope="row">/g)?.length ?? 0);
    assert.ok(
      rows.every((count) => count === rows[0] && count > 3 * 12),
      rows.join(),
    );
    assert.match(figures[0] ?? '', /requests that took least time share the last row/);
  });
});
