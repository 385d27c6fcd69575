import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { reportPage } from '../../../../report/sections/index.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { fixtureRun, spoil } from '../../../../test/unit/report/fixture-run.ts';
import { experimentOf } from '../../../index.ts';
import type { PageLoad } from '../../../page-load/details.ts';
import { sectionsOf } from '../../../sections-of.ts';
import { connectionRun } from './made-up-run.ts';

async function pageOf({ run, observations, calibrations }: ReturnType<typeof connectionRun>) {
  const summary = summarise(run, observations, calibrations);
  const own = await sectionsOf(experimentOf(run));
  const { document } = parseHTML(await reportPage(run, summary, observations, { own }));
  return { document, summary };
}

function failSome(load: PageLoad): void {
  if (load.repetition === 2) spoil(load, 'failed', 'handshake-failed', 'No answer.');
}

function textOf(element: { textContent: string | null } | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ');
}

test('a report of connections speaks of connections, and of nothing that only pages have', async () => {
  const { document, summary } = await pageOf(connectionRun({ repetitions: 8, change: failSome }));
  for (const id of ['answer', 'compared', 'sites', 'charts', 'by-site', 'network', 'ledger']) {
    const section = document.getElementById(id)?.closest('section');
    assert.ok(section, id);
    for (const style of section.querySelectorAll('svg title')) style.remove();
    const labels = [...section.querySelectorAll('[aria-label]')].map((each) =>
      each.getAttribute('aria-label'),
    );
    for (const heading of section.querySelectorAll('[data-name]'))
      labels.push(heading.getAttribute('data-name'));
    const said = `${textOf(section)} ${labels.join(' ')}`;
    assert.doesNotMatch(said, /\b(sites?|page|pages|load|loads|loaded|browser|HARs?|visit)\b/i, id);
  }
  assert.match(
    textOf(document.querySelector('h1')),
    /^Times until the client may send of [\w.-]+ and [\w.-]+$/,
  );
  assert.match(textOf(document.getElementById('ledger')), /^Connections left out$/);
  assert.equal(document.querySelectorAll('a[href^="har/"]').length, 0);
  const terminal = summaryTable(summary);
  assert.match(terminal, /pairs? of connections|connections? failed/);
  assert.doesNotMatch(terminal, /\b(sites?|loads?|pages?)\b/);
});

test('a report of connections says how it was run without the options and the method of page loads', async () => {
  const { document } = await pageOf(connectionRun());
  const method = textOf(document.getElementById('method')?.closest('section') ?? null);
  assert.match(method, /One connection at a time\. The connections came in blocks/);
  assert.match(method, /npm run connect/);
  assert.doesNotMatch(method, /What a page load time is made of|HARs|Visits|kept apart by/);
});

test('an experiment has sections of its own in its reports, in contents and body, and other reports do not', async () => {
  const { document: own } = await pageOf(connectionRun());
  assert.ok(own.querySelector('nav a[href="#handshakes"]'));
  assert.match(textOf(own.getElementById('handshakes')?.closest('section') ?? null), /RFC 9001/);
  const { document: other } = await pageOf(fixtureRun());
  assert.equal(other.getElementById('handshakes'), null);
  assert.equal(other.querySelector('nav a[href="#handshakes"]'), null);
});
