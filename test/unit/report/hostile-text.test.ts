import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import {
  problemOfCalibration,
  problemOfInvocation,
  problemOfObservation,
  problemOfRun,
} from '../../../ground/records/problems.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { writeReport } from '../../../report/write.ts';
import { type Fixture, fixtureRun, withRunFolder } from './fixture-run.ts';
import { madeUpHar } from './sections/made-up-har.ts';

const CANARY = `"'><canary-element onclick="x()">&lt;</title></style></script><script>canary()</script>`;

/** The value with `replaced` applied to each of its strings, names of fields included. */
function withStrings(value: unknown, replaced: (text: string) => string): unknown {
  if (typeof value === 'string') return replaced(value);
  if (Array.isArray(value)) return value.map((item) => withStrings(item, replaced));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [replaced(name), withStrings(item, replaced)]),
  );
}

/** Names that the program itself looks up; it rejects a run with unknown ones. */
const PROGRAM_NAMES = [pageLoad.name, pageLoad.recordFile, 'har', 'pageLoadMs', 'bun-h2'];

const problemOfLoad = problemOfObservation(pageLoad.details);

function isAccepted({ run, observations, calibrations, invocations }: Fixture): boolean {
  return (
    problemOfRun(run) === null &&
    observations.every((each) => problemOfLoad(each) === null) &&
    calibrations.every((each) => problemOfCalibration(each) === null) &&
    invocations.every((each) => problemOfInvocation(each) === null)
  );
}

/** The run with markup at the end of every string that a reader accepts with it. */
function hostile(fixture: Fixture): { fixture: Fixture; strings: number } {
  const texts = new Set<string>();
  withStrings(fixture, (text) => {
    texts.add(text);
    return text;
  });
  let strings = 0;
  for (const text of texts) {
    if (PROGRAM_NAMES.includes(text)) continue;
    const changed = withStrings(fixture, (each) =>
      each === text ? text + CANARY : each,
    ) as Fixture;
    if (Object.keys(changed).join() !== Object.keys(fixture).join() || !isAccepted(changed))
      continue;
    fixture = changed;
    strings += 1;
  }
  return { fixture, strings };
}

/** Parts of a page that could run, load or leave it. */
function activeParts(page: string) {
  const { document } = parseHTML(page);
  const elements = [...document.querySelectorAll('*')];
  return {
    canaries: elements.filter(({ localName }) => localName.startsWith('canary')).length,
    scripts: elements.filter(({ localName }) => localName === 'script').length,
    handlers: elements.filter(({ attributes }) =>
      [...attributes].some(({ name }) => name.startsWith('on')),
    ).length,
    links: elements.filter((element) =>
      /^\s*(javascript|data|vbscript):/i.test(
        element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '',
      ),
    ).length,
  };
}

test('the report renders markup in the records and HARs of a run as text', async () => {
  const usual = fixtureRun();
  const { fixture, strings } = hostile(usual);
  // Names and file paths have their own formats, and readers reject them with markup.
  assert.ok(strings > 20, `${strings} strings could hold markup`);
  const pageOf = async (run: Fixture, url: string) => {
    let page = '';
    await withRunFolder(run, async (folder) => {
      await mkdir(runFolder(folder).har, { recursive: true });
      const har = madeUpHar([{ url, startMs: 0, wait: 40, receive: 3, connect: 5 }]);
      for (const { files } of run.observations) {
        await writeFile(path.join(folder, files.har ?? ''), JSON.stringify(har));
      }
      await writeReport(folder);
      page = await readFile(runFolder(folder).report, 'utf8');
    });
    return page;
  };
  const url = 'https://www.iana.org/';
  const before = activeParts(await pageOf(usual, url));
  const page = await pageOf(fixture, `${url}?${CANARY}`);
  assert.ok(page.includes('canary-element'), 'the page shows nothing of the markup');
  assert.deepEqual(activeParts(page), before);
  assert.equal(before.canaries + before.handlers, 0);
});
