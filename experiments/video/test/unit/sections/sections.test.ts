import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../../ground/records/observation.ts';
import { reportPage } from '../../../../../report/sections/index.ts';
import { type ReportView, reportView } from '../../../../../report/sections/view.ts';
import { summarise } from '../../../../../report/summary/summary.ts';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { DELAYED } from '../../../../../test/unit/report/fixture-run.ts';
import { byLoss } from '../../../sections/by-loss.ts';
import { overTime } from '../../../sections/over-time.ts';
import { spread } from '../../../sections/spread.ts';
import { toldThreeWays } from '../../../sections/told.ts';
import { verdicts } from '../../../sections/verdicts.ts';
import { sections } from '../../../sections.ts';
import { type MadeUpOptions, madeUpVideos } from '../fixture.ts';

function viewOf(options: MadeUpOptions = {}): ReportView {
  const { run, observations, calibrations } = madeUpVideos(options);
  const attempts: Observation[] = observations;
  return reportView(run, summarise(run, attempts, calibrations), attempts);
}

const lossy = (lossPercent: number) => ({
  ...DELAYED,
  name: `loss${lossPercent}`,
  lossPercent,
});

test('the title names what is asked of videos, whatever metric verdicts are about', async () => {
  const { run, observations } = madeUpVideos({ players: ['dashjs', 'shaka'] });
  const page = await reportPage(run, summarise(run, observations), observations, { own: sections });
  assert.match(page, />What the player changes</);
  assert.match(page, /<h1>Start-up, stalls and bitrate of 1 video on 2 server stacks<\/h1>/);
});

test('each metric has both medians, its ratio or difference, and a verdict where one direction is better', () => {
  const { rowsOf } = rendered(verdicts, viewOf({ repetitions: 12 }));
  const rows = new Map(
    rowsOf('test-pattern, lsquic (h3) against Bun (h2)').map(([name = '', ...cells]) => [
      name,
      cells,
    ]),
  );
  assert.equal(rows.size, 12);
  const startup = rows.get('Start-up delay, ms') ?? [];
  const [verdict, ratio, difference, own, others] = startup;
  assert.match(verdict ?? '', /◄ faster$/);
  assert.match(ratio ?? '', /^0\.64/);
  assert.match(difference ?? '', /^−230/);
  assert.match(own ?? '', /^412/);
  assert.match(others ?? '', /^642/);
  assert.match(rows.get('Download rate')?.[0] ?? '', /► higher$/);
  const stalls = rows.get('Stalls') ?? [];
  assert.deepEqual(
    stalls.slice(0, 5),
    ['–', '–', '−1', '0', '1'],
    'counts that may be none have no ratio',
  );
});

test('a run that was made for another metric says so, and judges that one by its own correction', () => {
  const { run, observations } = madeUpVideos({ repetitions: 12 });
  run.analysis.metric = 'meanBitrateKbps';
  const { words, rowsOf } = rendered(
    verdicts,
    reportView(run, summarise(run, observations), observations),
  );
  assert.match(words, /This run was made for the mean bitrate/);
  const row = rowsOf('test-pattern').find(([name]) => name === 'Start-up delay, ms');
  assert.match(row?.[1] ?? '', /faster$/);
});

test('one arm alone has no table of verdicts, and all else', () => {
  const view = viewOf();
  const alone = { ...view, compared: [], arms: view.arms.slice(0, 1) };
  const shown = sections.filter((section) => section.isShown?.(alone) ?? true);
  assert.deepEqual(
    shown.map(({ id }) => id),
    ['spread', 'over-time', 'told'],
  );
});

test('from a loss on a difference is told, and where it is not told, that is said', () => {
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
  const { document, rowsOf } = rendered(byLoss, view);
  const told = [...document.querySelectorAll('li')].map(({ textContent }) => textContent?.trim());
  assert.ok(
    told.includes('Start-up delay: lsquic (h3) is faster than Bun (h2) from 2 % loss on.'),
    told.join('\n'),
  );
  assert.ok(
    told.includes(
      'Prebuffering time: lsquic (h3) differs at 2 %, but not at the largest loss measured.',
    ),
  );
  assert.ok(
    told.includes(
      'Time to the first frame: lsquic (h3) is the same as Bun (h2) at every loss measured.',
    ),
  );
  const [, first] = rowsOf('By loss each way, test-pattern');
  assert.equal(first?.length, 5, 'a column for each loss');
});

test('networks that differ in more than their loss are no sweep of losses', () => {
  const view = viewOf({ networks: [lossy(0), { ...lossy(2), rttMs: 80 }] });
  assert.equal(byLoss.isShown?.(view), false);
});

test('each stall is a point of its own, and no stall leaves out the chart', () => {
  const { rowsOf, document } = rendered(spread, viewOf());
  const rows = rowsOf('Least, quartiles and most');
  const stalls = rows.slice(rows.findIndex(([name]) => name?.startsWith('Duration of a stall')));
  assert.deepEqual(stalls[1]?.slice(1), ['–', '–', '–', '–', '–', '0']);
  assert.deepEqual(stalls[2]?.slice(1), ['500.0', '500.0', '500.0', '500.0', '500.0', '7']);
  assert.equal(document.querySelectorAll('svg.chart').length, 4);
  const smooth = viewOf({
    change: (_, { told }) => {
      for (const each of told) each.stalls = [];
    },
  });
  assert.equal(rendered(spread, smooth).document.querySelectorAll('svg.chart').length, 3);
});

test('buffer and bitrate over time are those of the session in the middle, with its stalls', () => {
  const view = viewOf({
    change: ({ arm, block, metrics }) => {
      metrics.startupDelayMs = (arm === 'bun-h2' ? 600 : 400) + ((block * 3) % 7);
    },
  });
  const { words, rowsOf, document } = rendered(overTime, view);
  // (3 x block) mod 7 is 3, the middle of 0 to 6, in block 1.
  assert.match(words, /dash\.js 5\.2\.1, test-pattern\.\S+lsquic-h3\.1, start-up delay 403\.0 ms/);
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
  assert.deepEqual([rows[2]?.[2], rows[2]?.[5]], ['700', '300'], 'the rungs asked for after 3 s');
});

test('the three tellers stand side by side, and a session in which they differ is named', () => {
  const agreed = rendered(toldThreeWays, viewOf());
  assert.match(agreed.words, /agree within 0\.1 s and 5 % in 14 sessions/);
  const [, h3, h2] = agreed.rowsOf('Times in ms');
  assert.deepEqual(h3?.slice(1, 6), ['7', '412.0', '408.0', '382.0', '30.0']);
  assert.deepEqual(h2?.slice(6, 10), ['500.0', '500.0', '500.0', '0.0']);
  assert.equal(h2?.length, 14);
  assert.equal(h2?.[10], '–', 'the element tells no bitrate');
  assert.match(h2?.[11] ?? '', /^\d{3} kbit\/s$/);
  assert.equal(h2?.[13], '0.0 %', 'the other two tell the same');
  const apart = rendered(
    toldThreeWays,
    viewOf({
      change: ({ arm, block }, { told: [, player] }) => {
        if (arm === 'bun-h2' && block === 3 && player) {
          player.stalls = player.stalls.map((stall) => ({ ...stall, durationMs: 750 }));
        }
      },
    }),
  );
  assert.match(apart.words, /differ by more than 0\.1 s or 5 % in 1 of 14 sessions/);
  assert.match(
    apart.words,
    /Bun \(h2\): they differ by up to 250\.0 ms in a stall, in test-pattern\.\S+bun-h2\.3 \(stalled: element 500\.0 ms, player 750\.0 ms, model 500\.0 ms\)/,
  );
});

test('a session whose bitrate is told differently is named with what each tells', () => {
  const { words, rowsOf } = rendered(
    toldThreeWays,
    viewOf({
      change: ({ arm, block }, { told }) => {
        if (arm !== 'lsquic-h3' || block !== 2) return;
        for (const each of told) each.meanBitrateKbps = each.by === 'model' ? 500 : 550;
      },
    }),
  );
  assert.match(
    words,
    /lsquic \(h3\): they differ by up to 10\.0 % in the mean bitrate, in \S+lsquic-h3\.2 \(mean bitrate: element 550 kbit\/s, player 550 kbit\/s, model 500 kbit\/s\)/,
  );
  assert.equal(rowsOf('Times in ms')[1]?.[13], '10.0 %');
});

test('a session of which one tells that playing never began is named, without a number', () => {
  const { words, rowsOf } = rendered(
    toldThreeWays,
    viewOf({
      change: ({ arm, block }, { told: [, player] }) => {
        if (arm === 'lsquic-h3' && block === 2 && player) player.startupMs = null;
      },
    }),
  );
  assert.match(words, /lsquic \(h3\): not all tell that playing began, in \S+lsquic-h3\.2 /);
  assert.match(words, /player none/);
  assert.equal(rowsOf('Times in ms')[1]?.[5], 'one tells none');
});

test('sessions that never played, names from outside and two players are shown as they are', () => {
  const view = viewOf({
    subjects: [HOSTILE],
    players: ['dashjs', 'shaka'],
    change: ({ metrics, arm }, details) => {
      if (arm !== 'bun-h2') return;
      for (const name of Object.keys(metrics)) metrics[name] = null;
      details.told = details.told.map((each) => ({ ...each, startupMs: null, stalls: [] }));
      details.asked = [];
      details.switches = [];
      details.bufferStepMs = [];
    },
  });
  for (const section of sections.filter((each) => each.isShown?.(view) ?? true)) {
    rendered(section, view);
  }
});
