import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { standaloneSvg } from '../../../kit/charts/chart-file.ts';
import { html } from '../../../kit/page/markup.ts';
import { chartCsv, uniqueName } from '../../../report/chart-files.ts';
import { writeReport } from '../../../report/write.ts';
import { fixtureRun, NONE, withRunFolder } from './fixture-run.ts';

const HOSTILE = `../../<script>&"${String.fromCharCode(1)}=cmd`;

test('writes each chart of a report as a standalone SVG file, with its numbers next to it', async () => {
  const fixture = fixtureRun({ subjects: ['a.example', '=a+b,[c]'], networks: [NONE] });
  await withRunFolder(fixture, async (folder) => {
    const charts = path.join(folder, 'charts');
    await mkdir(charts);
    await writeReport(folder, { charts });
    const files = await readdir(charts);
    const page = parseHTML(await readFile(path.join(folder, 'report.html'), 'utf8')).document;
    const drawings = files.filter((file) => file.endsWith('.svg'));
    assert.equal(
      drawings.length,
      page.querySelectorAll(':not(.narrow) > svg[role="img"].chart').length,
    );
    for (const file of files) assert.match(file, /^[A-Za-z0-9_][\w-]*\.(svg|csv)$/);
    for (const file of drawings) {
      const svg = await readFile(path.join(charts, file), 'utf8');
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" /);
      assert.doesNotMatch(svg, /var\(|class=|<script|&nbsp;/, file);
      assert.match(svg, /font-family=.*<rect [^>]*fill="#ffffff"\/>/);
    }
    const numbers = await readFile(
      path.join(charts, 'mean-page-load-time-no-added-delay.csv'),
      'utf8',
    );
    assert.match(numbers, /^Name,Stack,Mean page load time in ms\na\.example,lsquic \(h3\),\d+/);
    assert.doesNotMatch(numbers, /\d,\d{3}\.|NaN|Infinity/);
  });
});

test('writes numbers whole, missing ones empty, and texts never as formulas', () => {
  const rows = [
    ['=1+1', 1 / 3],
    ['a,b', null],
    ['c', Number.POSITIVE_INFINITY],
    ['d', -0.25],
  ];
  assert.equal(
    chartCsv({ columns: ['Name', 'Time in ms'], rows: () => rows }),
    `Name,Time in ms\n'=1+1,${1 / 3}\n"a,b",\nc,\nd,-0.25\n`,
  );
});

test('gives files unique names in any case of letters, and never leaves the folder', () => {
  const taken = new Set<string>();
  const names = ['Times, a', 'times a', HOSTILE, '../..', 'x'.repeat(300)];
  assert.deepEqual(
    names.map((name) => uniqueName(name, taken)),
    ['Times-a', 'times-a-2', 'script-cmd', 'chart', 'x'.repeat(120)],
  );
});

test('keeps a text that looks like a colour of the style sheet', () => {
  const svg = html`<svg viewBox="0 0 10 20" class="chart"><text fill="var(--ink)">${'var(--ink)'}</text></svg>`;
  const file = standaloneSvg({ svg: svg.text, data: { arms: [], columns: [], rows: () => [] } });
  assert.match(file, / width="10" height="20" /);
  assert.match(file, /<text fill="#16202c">var\(--ink\)<\/text>/);
});

test('puts a legend below a chart without names of its own', () => {
  const arms = [
    { arm: 'a', label: HOSTILE, place: 0 },
    { arm: 'b', label: 'B (h2)', place: 1 },
  ];
  const svg = html`<svg viewBox="0 0 200 20" class="chart"></svg>`.text;
  const file = standaloneSvg({ svg, data: { arms, columns: [], rows: () => [] } });
  assert.match(file, / viewBox="0 0 200 64"/);
  assert.match(file, /stroke="#c95f12" stroke-width="3" stroke-dasharray="7 3"/);
  assert.match(file, />\.\.\/\.\.\/&lt;script&gt;&amp;&quot;=cmd<\/text>/);
});
