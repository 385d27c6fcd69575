import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approve, linesAdded } from '../../../../../test/unit/approve.ts';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { DELAYED } from '../../../../../test/unit/report/fixture-run.ts';
import { documentOf, viewOf as viewOfRun } from '../../../../../test/unit/report/reported.ts';
import { PLAYERS } from '../../../players/index.ts';
import { byLoss } from '../../../sections/by-loss.ts';
import { overTime } from '../../../sections/over-time.ts';
import { threeSources } from '../../../sections/sources.ts';
import { spread } from '../../../sections/spread.ts';
import { verdicts } from '../../../sections/verdicts.ts';
import { sections } from '../../../sections.ts';
import { type MadeUpOptions, madeUpVideos } from '../fixture.ts';

const viewOf = (options?: MadeUpOptions) => viewOfRun(madeUpVideos(options));

const lossy = (lossPercent: number) => ({
  ...DELAYED,
  name: `loss${lossPercent}`,
  lossPercent,
});

test('states the question about videos in the title, for any metric of the verdicts', async () => {
  const made = madeUpVideos({ players: PLAYERS.map(({ name }) => name) });
  const { body } = await documentOf(made, { own: sections });
  const headings = [...body.querySelectorAll('h1, h2, h3')].map(({ textContent }) => textContent);
  assert.equal(headings.includes('What the player changes'), PLAYERS.length > 1);
  assert.ok(headings.includes('Start-up, stalls and bitrate of test-pattern'));
});

test('shows both medians of each metric, its ratio or difference, and a verdict if one direction is better', (t) => {
  approve(t, 'verdicts', rendered(verdicts, viewOf({ repetitions: 12 })).outline);
});

test("reports that a run was made for another metric, and decides by that metric's own correction", () => {
  const made = madeUpVideos({ repetitions: 12 });
  made.run.analysis.metric = 'meanBitrateKbps';
  const { words, rowsOf } = rendered(verdicts, viewOfRun(made));
  assert.match(words, /main metric of this run is the mean bitrate/);
  const row = rowsOf('test-pattern').find(([name]) => name === 'Start-up delay, ms');
  assert.match(row?.[1] ?? '', /faster$/);
});

test('omits only the table of verdicts for a single arm', () => {
  const view = viewOf();
  const alone = { ...view, compared: [], arms: view.arms.slice(0, 1) };
  const shown = sections.filter((section) => section.isShown?.(alone) ?? true);
  assert.deepEqual(
    shown.map(({ id }) => id),
    ['spread', 'over-time', 'sources'],
  );
});

test('reports the lowest loss with a decided difference, or that no loss decides it', (t) => {
  const view = viewOf({
    networks: [0, 0.5, 2, 5].map(lossy),
    repetitions: 12,
    change: ({ arm, network, metrics, order }) => {
      const noise = 1 + 0.02 * Math.sin(order * 78.233);
      const isHit = arm === 'bun-h2' && network.lossPercent >= 2;
      metrics.startupDelayMs = noise * (isHit ? 900 : 500);
      metrics.firstFrameMs = noise * 500;
      metrics.prebufferingMs = noise * (arm === 'bun-h2' && network.lossPercent === 2 ? 600 : 300);
    },
  });
  approve(t, 'by-loss', rendered(byLoss, view).outline);
});

test('does not sweep losses over networks that differ in more than their loss', () => {
  const view = viewOf({ networks: [lossy(0), { ...lossy(2), rttMs: 80 }] });
  assert.equal(byLoss.isShown?.(view), false);
});

test('draws each stall as its own point, and omits the chart without stalls', () => {
  const view = viewOf({
    change: ({ block }, { reports }) => {
      for (const stall of reports.flatMap(({ stalls }) => stalls))
        stall.durationMs = 500 + 10 * block;
    },
  });
  const { rowsOf, document } = rendered(spread, view);
  const rows = rowsOf('Value reached');
  const stalls = rows.slice(rows.findIndex(([name]) => name?.startsWith('Duration of a stall')));
  assert.deepEqual(stalls[1]?.slice(1), [...Array(7).fill('–'), '0']);
  const points = ['510.0', '510.0', '520.0', '540.0', '560.0', '570.0', '570.0'];
  assert.deepEqual(stalls[2]?.slice(1), [...points, '7']);
  assert.equal(document.querySelectorAll('svg.chart').length, 4);
  const smooth = viewOf({
    change: (_, { reports }) => {
      for (const each of reports) each.stalls = [];
    },
  });
  assert.equal(rendered(spread, smooth).document.querySelectorAll('svg.chart').length, 3);
});

test('draws buffer and bitrate over time for the median session, with its stalls', () => {
  const view = viewOf({
    change: ({ arm, block, metrics }) => {
      metrics.startupDelayMs = (arm === 'bun-h2' ? 600 : 400) + ((block * 3) % 7);
    },
  });
  const { words, rowsOf, document } = rendered(overTime, view);
  // (3 x block) mod 7 is 3, the middle of 0 to 6, in block 1.
  assert.match(words, / 5\.2\.1, test-pattern\.\S+lsquic-h3\.1, start-up delay 403\.0 ms/);
  assert.ok(words.includes(`${PLAYERS[0].label} 5.2.1`));
  assert.equal(document.querySelectorAll('svg.chart').length, 2);
  const titles = [...document.querySelectorAll('title')].map(({ textContent }) => textContent);
  assert.deepEqual(
    titles.map((title) => title?.replace(/ at .*/, '')),
    ['Bun (h2): stalled for 0.5 s'],
  );
  const rows = rowsOf('Every 1 s');
  assert.equal(rows.length, 20);
  assert.deepEqual(
    rows.filter((row) => row.at(-1) === 'stalled').map(([at]) => at),
    ['7'],
  );
  assert.deepEqual(
    rows[0]?.slice(1).filter((cell) => cell === 'not yet'),
    [],
  );
  assert.deepEqual(
    [rows[2]?.[2], rows[2]?.[5]],
    ['700', '300'],
    'the representations requested after 3 s',
  );
});

test('shows the three sources next to each other, and names a session in which they differ', (t) => {
  const agreed = rendered(threeSources, viewOf());
  approve(t, 'tellers-agree', agreed.outline);
  const apart = rendered(
    threeSources,
    viewOf({
      change: ({ arm, block }, { reports: [, player] }) => {
        if (arm === 'bun-h2' && block === 3 && player) {
          player.stalls = player.stalls.map((stall) => ({ ...stall, durationMs: 750 }));
        }
      },
    }),
  );
  approve(t, 'tellers-differ', linesAdded(agreed.outline, apart.outline));
});

test('names a session with conflicting bitrates, with the value of each source', (t) => {
  const { outline } = rendered(
    threeSources,
    viewOf({
      change: ({ arm, block }, { reports }) => {
        if (arm !== 'lsquic-h3' || block !== 2) return;
        for (const each of reports) each.meanBitrateKbps = each.by === 'model' ? 500 : 550;
      },
    }),
  );
  approve(t, 'bitrates-differ', linesAdded(rendered(threeSources, viewOf()).outline, outline));
});

test('names a session in which one source reports no start of playback, without a number', (t) => {
  const { outline } = rendered(
    threeSources,
    viewOf({
      change: ({ arm, block }, { reports: [, player] }) => {
        if (arm === 'lsquic-h3' && block === 2 && player) player.startupMs = null;
      },
    }),
  );
  approve(t, 'no-start', linesAdded(rendered(threeSources, viewOf()).outline, outline));
});

test('shows sessions that never played, untrusted names and two players', () => {
  const view = viewOf({
    subjects: [HOSTILE],
    players: [PLAYERS[0].name, 'another'],
    change: ({ metrics, arm }, details) => {
      if (arm !== 'bun-h2') return;
      for (const name of Object.keys(metrics)) metrics[name] = null;
      details.reports = details.reports.map((each) => ({ ...each, startupMs: null, stalls: [] }));
      details.requests = [];
      details.switches = [];
      details.bufferStepMs = [];
    },
  });
  for (const section of sections.filter((each) => each.isShown?.(view) ?? true)) {
    rendered(section, view);
  }
});
