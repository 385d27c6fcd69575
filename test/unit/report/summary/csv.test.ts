import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryCsv } from '../../../../report/summary/csv.ts';
import { type FixtureOptions, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';

const FIRST_COLUMNS =
  'site,stack,rtt_ms,n_ok,n_failed,n_invalid,plt_mean_ms,plt_median_ms,plt_sd_ms,plt_min_ms,plt_max_ms,ttfb_median_ms,document_median_ms,';

const csvOf = (options?: FixtureOptions) => summaryCsv(fixtureSummary(options));

test('has the columns that other programs rely on first, and none twice', () => {
  const header = csvOf().split('\n')[0] ?? '';
  assert.ok(header.startsWith(FIRST_COLUMNS), header);
  const names = header.split(',');
  assert.equal(new Set(names).size, names.length);
  for (const name of [
    'network',
    'down_kbps',
    'up_kbps',
    'loss_percent',
    'measured_rtt_ms',
    'backend',
  ])
    assert.ok(names.includes(name), name);
});

test('has as many fields in every row as in the header, and a line feed at the end', () => {
  const csv = csvOf();
  const lines = csv.split('\n');
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, 1 + 12);
  for (const line of lines) assert.equal(line.split(',').length, lines[0]?.split(',').length);
});

test('distinguishes networks that differ in no leading column', () => {
  const slow = {
    ...NONE,
    name: 'slow',
    downKbps: 1500,
    upKbps: 384,
    lossPercent: 0.5,
    jitterMs: 2,
  };
  const bursts = { ...slow, name: 'bursts', burstLoss: { enterPercent: 0.4, leavePercent: 33 } };
  const [header = '', ...lines] = csvOf({ subjects: ['a.example'], networks: [NONE, slow, bursts] })
    .trim()
    .split('\n');
  const at = (name: string) => header.split(',').indexOf(name);
  const columns = ['network', 'rtt_ms', 'down_kbps', 'up_kbps', 'loss_percent', 'jitter_ms'];
  columns.push('burst_enter_percent', 'burst_leave_percent', 'backend');
  assert.deepEqual(
    lines
      .filter((line) => line.startsWith('a.example,bun-h2,'))
      .map((line) => columns.map((name) => line.split(',')[at(name)])),
    [
      ['none', '0', '', '', '0', '0', '', '', 'userspace'],
      ['slow', '0', '1500', '384', '0.5', '2', '', '', 'userspace'],
      ['bursts', '0', '1500', '384', '0.5', '2', '0.4', '33', 'userspace'],
    ],
  );
  for (const line of lines)
    assert.match(line.split(',')[at('measured_rtt_ms')] ?? '', /^0\.\d{1,3}$/);
});

test('writes numbers with at most 3 decimals and null as empty', () => {
  const csv = csvOf({
    ...ONE_SITE,
    repetitions: 2,
    change: (load) => {
      load.metrics.pageLoadMs = 1234.56789;
      if (load.arm === 'flask-h1' && load.repetition === 2)
        spoil(load, 'failed', 'timeout', 'late');
    },
  });
  assert.match(csv, /\na\.example,lsquic-h3,0,2,0,0,1234\.568,1234\.568,0,1234\.568,1234\.568,/);
  assert.match(csv, /\na\.example,flask-h1,0,1,1,0,1234\.568,1234\.568,,/);
});

test('quotes commas, quotes and line ends', () => {
  const csv = csvOf({ subjects: ['a,"b"\nc'], repetitions: 1 });
  assert.match(csv, /\n"a,""b""\nc",lsquic-h3,/);
});

test('has the comparison in each row but the baseline’s, with small p-values that are not rounded to 0', () => {
  const cellsOf = (subjects: string[], arm: string) => {
    const [header = '', ...lines] = csvOf({
      subjects,
      networks: [NONE],
      repetitions: 25,
      pageLoadMs: (load) =>
        (load.arm === 'lsquic-h3' ? 80 : 100) + load.repetition / 10 + load.order / 1000,
    })
      .trim()
      .split('\n');
    const names = header.split(',');
    const cells = lines.find((line) => line.startsWith(`a.example,${arm},`))?.split(',') ?? [];
    return (name: string) => cells[names.indexOf(name)];
  };
  const two = ['a.example', 'b.example'];
  const faster = cellsOf(two, 'lsquic-h3');
  assert.equal(faster('verdict'), 'faster');
  assert.equal(faster('baseline'), 'bun-h2');
  assert.equal(faster('n_pairs'), '25');
  assert.equal(faster('faster_in_percent'), '100');
  assert.match(faster('difference_ms') ?? '', /^-(19\.9|20)/);
  // 2 of the 2^25 patterns of signs: 5.96e-8; among four tests Holm makes it four times that.
  assert.equal(faster('p'), '5.96e-8');
  assert.equal(faster('p_holm'), '2.38e-7');
  assert.deepEqual([faster('answer'), faster('answer_n_pairs')], ['faster', '50']);
  const baseline = cellsOf(two, 'bun-h2');
  for (const name of ['baseline', 'ratio', 'p', 'verdict', 'answer', 'answer_ratio'])
    assert.equal(baseline(name), '');
  // A run of one site has one answer.
  const only = cellsOf(['a.example'], 'lsquic-h3');
  for (const name of ['ratio', 'ratio_low', 'ratio_high', 'difference_ms', 'difference_low_ms'])
    assert.equal(only(name), only(`answer_${name}`), name);
  assert.deepEqual([only('verdict'), only('answer'), only('p_holm')], ['faster', 'faster', '']);
});

test('orders columns from the row and its comparison over the answers and statistics to the cost', () => {
  const csv = csvOf(ONE_SITE);
  const [header = '', line = ''] = csv.split('\n');
  const names = header.split(',');
  const order = [
    'site',
    'plt_median_ms',
    'label',
    'network',
    'visit',
    'baseline',
    'ratio',
    'verdict',
  ];
  order.push('answer_ratio', 'answer', 'exclusions_p', 'fcp_answer', 'n_planned', 'lcp_sd_ms');
  order.push('down_kbps', 'site_bytes', 'browser_cpu_median_ms', 'path_up_median_packets');
  const places = order.map((name) => names.indexOf(name));
  assert.ok(!places.includes(-1), order[places.indexOf(-1)]);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.equal(places.at(-1), names.length - 1);
  const cellOf = (name: string) => line.split(',')[names.indexOf(name)];
  const bytesAndPackets = ['path_down_median_bytes', 'path_up_median_bytes'];
  bytesAndPackets.push('path_down_median_packets', 'path_up_median_packets', 'queue_bdp');
  assert.deepEqual(bytesAndPackets.map(cellOf), ['210000', '5400', '150', '60', '']);
  assert.deepEqual(
    [cellOf('link_cpu_median_ms'), cellOf('cpu_pressure_median_percent')],
    ['20', '3.5'],
  );
});

test('a factor that a run lacks has an empty column', () => {
  const summary = fixtureSummary(ONE_SITE);
  const cellsOf = (variant: string) => {
    const rows = summary.rows.map((row) => ({ ...row, variant }));
    const [header = '', line = ''] = summaryCsv({ ...summary, rows }).split('\n');
    const cells = line.split(',');
    return ['cpu', 'visit'].map((name) => cells[header.split(',').indexOf(name)]);
  };
  assert.deepEqual(cellsOf('repeat'), ['', 'repeat']);
  assert.deepEqual(cellsOf('cpu-4.cold'), ['cpu-4', 'cold']);
});
