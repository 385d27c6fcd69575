import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryTable } from '../../../../report/terminal.ts';
import { wordsOf } from '../../../../test/unit/approve.ts';
import { DELAYED, type MadeRun, NONE } from '../../../../test/unit/made-run.ts';
import { fixtureRun } from '../../../../test/unit/report/fixture-run.ts';
import { documentOf, summaryOf } from '../../../../test/unit/report/reported.ts';
import { experimentOf } from '../../../index.ts';
import { sectionsOf } from '../../../sections-of.ts';
import {
  ARMS,
  fail,
  type MadeUpOptions,
  madeUpConnections,
} from './sections/made-up-connections.ts';

const connections = (options: MadeUpOptions = {}) =>
  madeUpConnections({
    hosts: ['www.iana.org', 'www.wikipedia.org'],
    networks: [NONE, DELAYED],
    arms: ARMS.slice(0, 3),
    warmups: true,
    ...options,
  });

const pageOf = async (made: MadeRun) =>
  documentOf(made, { own: await sectionsOf(experimentOf(made.run)) });

test('uses only the terms of connections, not of pages', async () => {
  const made = connections({
    repetitions: 8,
    change: (connection, details) => {
      if (connection.repetition !== 2) return;
      fail(connection, details, 'failed', { layer: 'udp', code: 'timeout', reason: 'No answer.' });
    },
  });
  const document = await pageOf(made);
  for (const id of ['answer', 'compared', 'sites', 'charts', 'by-site', 'network', 'exclusions']) {
    const section = document.getElementById(id)?.closest('section');
    assert.ok(section, id);
    for (const style of section.querySelectorAll('svg title')) style.remove();
    const labels = [...section.querySelectorAll('[aria-label]')].map((each) =>
      each.getAttribute('aria-label'),
    );
    for (const heading of section.querySelectorAll('[data-name]'))
      labels.push(heading.getAttribute('data-name'));
    const said = `${wordsOf(section)} ${labels.join(' ')}`;
    assert.doesNotMatch(said, /\b(sites?|page|pages|load|loads|loaded|browser|HARs?|visit)\b/i, id);
  }
  assert.match(
    wordsOf(document.querySelector('h1')),
    /^Times until the client may send of [\w.-]+ and [\w.-]+$/,
  );
  assert.match(wordsOf(document.getElementById('exclusions')), /^Excluded connections$/);
  assert.equal(document.querySelectorAll('a[href^="har/"]').length, 0);
  const terminal = summaryTable(summaryOf(made));
  assert.match(terminal, /pairs? of connections|connections? failed/);
  assert.doesNotMatch(terminal, /\b(sites?|loads?|pages?)\b/);
});

test('describes its run without the options and the method of page loads', async () => {
  const document = await pageOf(connections());
  const method = wordsOf(document.getElementById('method')?.closest('section'));
  assert.match(method, /One connection at a time\. The connections came in blocks/);
  assert.match(method, /npm run connect/);
  assert.doesNotMatch(method, /What a page load time is made of|HARs|Visits|kept apart by/);
});

test('has sections of its own in its reports, in contents and body, and other reports do not', async () => {
  const own = await pageOf(connections());
  assert.ok(own.querySelector('nav a[href="#handshakes"]'));
  assert.match(wordsOf(own.getElementById('handshakes')?.closest('section')), /RFC 9001/);
  const other = await pageOf(fixtureRun());
  assert.equal(other.getElementById('handshakes'), null);
  assert.equal(other.querySelector('nav a[href="#handshakes"]'), null);
});
