import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary.ts';
import { summaryCsv } from '../../../report/summary-csv.ts';
import { fixtureRun, spoil } from './fixture-run.ts';

const FIRST_COLUMNS =
  'site,stack,rtt_ms,n_ok,n_failed,n_invalid,plt_mean_ms,plt_median_ms,plt_sd_ms,plt_min_ms,plt_max_ms,ttfb_median_ms,document_median_ms,';

function csvOf(...options: Parameters<typeof fixtureRun>): string {
  const { run, pageLoads } = fixtureRun(...options);
  return summaryCsv(summarise(run, pageLoads));
}

test('the columns that other programs rely on come first, and none stands twice', () => {
  const header = csvOf().split('\n')[0] ?? '';
  assert.ok(header.startsWith(FIRST_COLUMNS), header);
  const names = header.split(',');
  assert.equal(new Set(names).size, names.length);
  assert.equal(names.at(-1), 'source');
});

test('every row has as many fields as the header, and the file ends with a line feed', () => {
  const csv = csvOf();
  const lines = csv.split('\n');
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, 1 + 6);
  for (const line of lines) assert.equal(line.split(',').length, lines[0]?.split(',').length);
});

test('numbers have at most 3 decimals and null is empty', () => {
  const csv = csvOf({
    sites: ['a.example'],
    repetitions: 1,
    change: (load) => {
      load.timingsMs.pageLoad = 1234.56789;
      if (load.stack === 'flask-h1') spoil(load, 'failed', 'timeout', 'late');
    },
  });
  assert.match(csv, /\na\.example,lsquic-h3,0,1,0,0,1234\.568,1234\.568,,1234\.568,1234\.568,/);
  assert.match(csv, /\na\.example,flask-h1,0,0,1,0,,,,,,,,/);
});

test('commas, quotes and line ends are quoted', () => {
  const csv = csvOf({ sites: ['a,"b"\nc'], repetitions: 1 });
  assert.match(csv, /\n"a,""b""\nc",lsquic-h3,/);
});
