import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { presetOfRun } from '../../../../report/series.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import {
  DELAYED,
  type FixtureOptions,
  fixtureRun,
  NONE,
  spoil,
  writeRun,
} from '../../../../test/unit/report/fixture-run.ts';
import { documentationOf, documents } from '../../documentation.ts';
import { PARTS, SERIES } from '../../parts.ts';
import { readResults } from '../../result.ts';
import { writeSeries } from '../../write.ts';

const STUDY = path.join(import.meta.dirname, '..', '..');

/** The folder of a series with made-up runs of some parts. */
function withSeries(
  parts: Record<string, FixtureOptions>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    for (const [name, options] of Object.entries(parts)) {
      const fixture = fixtureRun({ repetitions: 12, ...options });
      fixture.run.preset = presetOfRun({ name: SERIES }, { name });
      await mkdir(path.join(folder, name));
      await writeRun(path.join(folder, name), fixture);
    }
    await use(folder);
  });
}

test('the page of the study and its figures match the kept results: npm run docs writes them', () => {
  const written = documents();
  for (const { file, content } of written) {
    assert.equal(readFileSync(path.join(STUDY, file), 'utf8'), content, file);
  }
  assert.deepEqual(
    ['README.md', ...globSync('figures/*', { cwd: STUDY }).toSorted()],
    written.map(({ file }) => file),
  );
});

test('the documentation names every unmeasured part once anything is measured', () =>
  withSeries({ main: {}, losses: {} }, async (folder) => {
    await writeSeries(folder);
    const results = readResults(path.join(folder, 'results'));
    const missing = PARTS.filter(({ name }) => !['main', 'losses'].includes(name));
    const notice = `**Not measured yet:** ${missing.map(({ title }) => title).join('; ')}.`;
    assert.ok(documentationOf(results).text.includes(notice));
    assert.doesNotMatch(documentationOf([]).text, /Not measured yet/);
  }));

test('a result keeps the answers of the report, every page, and every excluded load', () =>
  withSeries(
    {
      main: {
        networks: [NONE, DELAYED],
        change: (load) => {
          const { subject, network, arm, repetition } = load;
          const cell = [subject, network.name, arm, repetition].join(' ');
          if (load.machine) {
            const isDear = arm === 'lsquic-h3' && subject === 'www.iana.org';
            load.machine.serverCpuMs = isDear ? 40 : 10;
          }
          if (cell === 'www.iana.org none bun-h2 3') {
            spoil(load, 'invalid', 'resumed', 'It offered a ticket.');
          }
        },
      },
    },
    async (folder) => {
      const { resultLine: place, text } = await writeSeries(folder);
      assert.match(place, /^Results of 1 of \d+ parts/);
      assert.match(text(), /30ms +lsquic \(h3\) against Bun \(h2\) +\d/);
      assert.match(text(), /Lost packets: not measured\./);
      const [main, ...rest] = readResults(path.join(folder, 'results'));
      assert.ok(main);
      assert.deepEqual(rest, []);
      assert.deepEqual(main.reasons, [{ outcome: 'invalid', code: 'resumed', count: 1 }]);
      const cell = main.loads.find(
        ({ subject, network, arm }) =>
          subject === 'www.iana.org' && network === 'none' && arm === 'bun-h2',
      );
      assert.deepEqual([cell?.nPlanned, cell?.nOk, cell?.nInvalid], [12, 11, 1]);
      // Two pages, two networks, two stacks that are compared.
      assert.deepEqual([main.pages.length, main.answers.length], [8, 4]);

      const { text: page, figures } = documentationOf([main]);
      const answer = main.answers.find(
        ({ network, arm }) => network === '30ms' && arm === 'lsquic-h3',
      );
      assert.ok(answer?.verdict === 'faster' && answer.ratio);
      const percent = Math.round(100 * (1 - answer.ratio.estimate));
      assert.match(
        page,
        new RegExp(`\\| 30ms \\| 30 ms [^|]*\\| \\*\\*${percent} % faster\\*\\* \\(`),
      );
      assert.match(page, /\| Bun \(h2\) \| 48 \| 47 \| 0 \| 1 \|/);
      assert.match(page, /\| resumed 1 \|/);
      // Four times on one of two pages is twice in the geometric mean.
      assert.match(
        page,
        /\| no added delay \| 2\.00 \(1\.00 to 4\.00\) \| 1\.00 \(1\.00 to 1\.00\) \|/,
      );
      // The fixture makes a load in every second.
      assert.match(page, /144 loads in 3 minutes/);
      // Of the two pairs of stacks on either protocol each has a figure.
      assert.deepEqual(
        figures.map(({ file }) => file),
        ['figures/networks-lsquic-h3.svg', 'figures/networks-flask-h1.svg'],
      );
      for (const { svg } of figures) {
        assert.match(svg, /^<svg xmlns="[^"]*" [^>]*><style>/);
        assert.doesNotMatch(
          svg,
          /var\(--(?!paper|ink|quiet|line|band|verdict|stack|raised|link|notice)/,
        );
      }
    },
  ));

test('an interrupted part has no result, and one of another part is rejected', () =>
  withSeries({ losses: {} }, async (folder) => {
    const loads = path.join(folder, 'losses', 'page-loads.jsonl');
    const lines = (await readFile(loads, 'utf8')).trimEnd().split('\n');
    await writeFile(loads, `${lines.slice(0, -5).join('\n')}\n`);
    const { resultLine: place, text } = await writeSeries(folder);
    assert.match(place, /^Results of 0 of/);
    assert.match(text(), /Lost packets: interrupted\./);
    const run = path.join(folder, 'losses', 'run.json');
    await writeFile(run, (await readFile(run, 'utf8')).replace('is-quic-faster/losses', 'ladder'));
    await assert.rejects(writeSeries(folder), {
      name: 'DamagedRunError',
      message: /a run of the preset ladder, expected one of is-quic-faster\/losses/,
    });
  }));

test('a run of another plan than the frozen one is rejected', () =>
  withSeries({ losses: {} }, async (folder) => {
    const plans = path.join(folder, 'plans');
    await mkdir(plans);
    const plan = path.join(plans, 'losses.json');
    const { planSha256 } = JSON.parse(
      await readFile(path.join(folder, 'losses', 'run.json'), 'utf8'),
    );
    await writeFile(plan, JSON.stringify({ planSha256 }));
    await writeSeries(folder);
    await writeFile(plan, JSON.stringify({ planSha256: 'f'.repeat(64) }));
    await assert.rejects(writeSeries(folder), {
      name: 'DamagedRunError',
      message: /losses and .*losses\.json have different plans\. Move the run away/,
    });
  }));

test('results of another format are rejected with the problem', () =>
  withTemporaryFolder(async (folder) => {
    await writeFile(path.join(folder, 'main.json'), '{"formatVersion": 9}');
    assert.throws(() => readResults(folder), { name: 'DamagedRunError', message: /main\.json: / });
  }));
