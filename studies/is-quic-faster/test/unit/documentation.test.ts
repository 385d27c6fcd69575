import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import {
  DELAYED,
  type FixtureOptions,
  fixtureRun,
  NONE,
  spoil,
  writeRun,
} from '../../../../test/unit/report/fixture-run.ts';
import { developersText } from '../../developers.ts';
import { documents } from '../../documentation.ts';
import { ownersText } from '../../owners.ts';
import { PARTS, type Part } from '../../parts.ts';
import { researchersText } from '../../researchers.ts';
import { type PartResult, readResults, resultOf } from '../../result.ts';

const STUDY = path.join(import.meta.dirname, '..', '..');

/** The result of a part with made-up records, in a family of that many answers. */
function madeUpResult(
  name: string,
  options: FixtureOptions,
  { family = 2, planSha256 }: { family?: number; planSha256?: string } = {},
): Promise<PartResult> {
  return withTemporaryFolder(async (folder) => {
    const fixture = fixtureRun({ repetitions: 12, ...options });
    await writeRun(folder, fixture);
    const part = PARTS.find((each) => each.name === name) as Part;
    return resultOf(part, folder, { ...fixture.run, ...(planSha256 && { planSha256 }) }, family);
  });
}

test('the pages of the study and its figures match the kept results: npm run docs writes them', () => {
  const written = documents();
  for (const { file, content } of written) {
    assert.equal(readFileSync(path.join(STUDY, file), 'utf8'), content, file);
  }
  assert.deepEqual(
    globSync('figures/*', { cwd: STUDY }).toSorted(),
    written.map(({ file }) => file).filter((file) => !file.endsWith('.md')),
  );
});

test('a page names every unmeasured part once anything is measured', async () => {
  const result = await madeUpResult('base', {});
  const missing = PARTS.filter(({ name }) => name !== 'base');
  const notice = `**Not measured yet:** ${missing.map(({ title }) => title).join('; ')}.`;
  assert.ok(researchersText([result]).includes(notice));
  assert.doesNotMatch(researchersText([]), /Not measured yet/);
});

test('a result keeps the answers of protocols, every page, and every excluded load', async () => {
  const base = await madeUpResult('base', {
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
  });
  assert.deepEqual(base.reasons, [{ outcome: 'invalid', code: 'resumed', count: 1 }]);
  const cell = base.loads.find(
    ({ subject, network, arm }) =>
      subject === 'www.iana.org' && network === 'none' && arm === 'bun-h2',
  );
  assert.deepEqual([cell?.nPlanned, cell?.nOk, cell?.nInvalid], [12, 11, 1]);
  // Two pages, two networks, two stacks over other protocols than the baseline's.
  assert.deepEqual([base.pages.length, base.answers.length], [8, 4]);

  const answer = base.answers.find(({ network, arm }) => network === '30ms' && arm === 'lsquic-h3');
  assert.ok(answer?.verdict === 'faster' && answer.ratio);
  const percent = Math.round(100 * (1 - answer.ratio.estimate));
  assert.match(
    ownersText([base]),
    new RegExp(`\\| 30 ms away [^|]*\\| [\\d.]+ s \\| \\*\\*${percent} % faster\\*\\* \\(`),
  );
  const page = researchersText([base]);
  assert.match(page, /\| Bun \(h2\) \| 48 \| 47 \| 0 \| 1 \|/);
  assert.match(page, /\| resumed 1 \|/);
  // Four times on one of two pages is twice in the geometric mean.
  assert.match(
    developersText([base]),
    /\| next to the server \| 2\.00 \(1\.00 to 4\.00\) \| 1\.00 \(1\.00 to 1\.00\) \|/,
  );
});

test('the page for owners has the base below each answer of a part, and verdicts on a first visit', async () => {
  const [base, discovered] = await Promise.all([
    madeUpResult('base', { networks: [NONE, DELAYED] }),
    madeUpResult('discovered', { networks: [DELAYED] }),
  ]);
  const [answer] = base.answers.filter(({ network }) => network === '30ms');
  assert.ok(answer?.verdict === 'faster' && answer.ratio && answer.difference);
  const words = `${Math.round(100 * (1 - answer.ratio.estimate))} % faster`;
  const ms = Math.abs(Math.round(answer.difference.estimate));
  const page = ownersText([base, discovered]);
  assert.match(page, new RegExp(`${words}\\*\\* \\([^|]*<br>${ms} ms less<br>pages `));
  assert.match(page, new RegExp(`Alt-Svc alone \\| [^|]*<br>base: ${words} \\|`));
  assert.match(
    page,
    /has to find that out[^|]*Alt-Svc alone: faster with lsquic; slower with Flask$/m,
  );
  assert.doesNotMatch(ownersText([base]), /has to find that out/);
});

test('intervals are those of the family', async () => {
  const [few, many] = await Promise.all(
    [2, 200].map((family) => madeUpResult('base', {}, { family })),
  );
  assert.ok(few && many);
  const level = ({ answers }: PartResult) => answers[0]?.level?.toFixed(9);
  assert.equal(level(few), (0.05 / 2).toFixed(9));
  assert.equal(level(many), (0.05 / 200).toFixed(9));
  const width = ({ answers }: PartResult) =>
    (answers[0]?.ratio?.high ?? Number.NaN) - (answers[0]?.ratio?.low ?? Number.NaN);
  assert.ok(width(many) > width(few));
});

test('records of another plan than the frozen one are rejected', () =>
  assert.rejects(madeUpResult('rates', {}, { planSha256: 'f'.repeat(64) }), {
    name: 'DamagedRunError',
    message: /The records of rates have the plan .*, expected the frozen one: f{64}/,
  }));

test('results of another format are rejected with the problem', () =>
  withTemporaryFolder(async (folder) => {
    await writeFile(path.join(folder, 'base.json'), '{"formatVersion": 9}');
    assert.throws(() => readResults(folder), { name: 'DamagedRunError', message: /base\.json: / });
  }));
