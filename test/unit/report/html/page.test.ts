import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { reportPage } from '../../../../report/html/page.ts';
import { summarise } from '../../../../report/summary.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';

function pageOf(
  options: FixtureOptions,
  change: (fixture: ReturnType<typeof fixtureRun>) => void = () => {},
) {
  const fixture = fixtureRun(options);
  change(fixture);
  const { run, pageLoads, calibrations } = fixture;
  const text = reportPage(run, summarise(run, pageLoads, calibrations), pageLoads);
  const { document } = parseHTML(text);
  return { text, document, run, pageLoads, words: words(document.body.textContent ?? '') };
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ');
}

const HOSTILE = `</title></style><script>alert(1)</script><img src=x onerror="y">'&`;

test('the page is complete and asks for nothing from elsewhere', () => {
  const { text, document } = pageOf({});
  assert.match(text, /^<!doctype html>\n<html lang="en">/);
  assert.match(text, /default-src 'none'|default-src &#39;none&#39;/);
  assert.equal(document.querySelectorAll('script, iframe, img, object, embed, base').length, 0);
  for (const link of document.querySelectorAll('a')) {
    assert.match(link.getAttribute('href') ?? '', /^(#|har\/)/);
  }
  assert.doesNotMatch(text, /\bsrc=|url\(|@import/);
});

test('every table has a caption and scoped headings, the chart a label, and every contents link a target', () => {
  const { document } = pageOf({});
  for (const table of document.querySelectorAll('table')) {
    assert.ok(table.querySelector('caption')?.textContent);
    for (const heading of table.querySelectorAll('th')) assert.ok(heading.getAttribute('scope'));
  }
  assert.match(document.querySelector('svg')?.getAttribute('aria-label') ?? '', /2 sites/);
  for (const link of document.querySelectorAll('nav a')) {
    assert.ok(document.getElementById((link.getAttribute('href') ?? '').slice(1)));
  }
});

test('each site shows where it comes from, and each stack its label', () => {
  const { words: shown, run } = pageOf({});
  for (const { source } of run.sites) assert.ok(shown.includes(source));
  for (const { label } of run.stacks) assert.ok(shown.includes(label));
});

test('medians stand without any verdict, with the number of loads behind them', () => {
  const { words: shown } = pageOf({ repetitions: 5 });
  assert.match(shown, /computes no intervals and no verdicts/);
  assert.match(shown, /Behind each median are 5 ok page loads: too few for any test to tell/);
  assert.doesNotMatch(shown, /significant|is faster than|QUIC is/i);
});

test('the like-for-like pair is named, and a run without it says that it has none', () => {
  assert.match(pageOf({}).words, /like-for-like pair is lsquic \(h3\) and Bun \(h2\)/);
  const { words: shown } = pageOf({}, ({ run, pageLoads }) => {
    run.stacks = run.stacks.filter(({ stack }) => stack !== 'bun-h2');
    run.trials = run.trials.filter(({ stack }) => stack !== 'bun-h2');
    pageLoads.splice(0, pageLoads.length, ...pageLoads.filter(({ stack }) => stack !== 'bun-h2'));
  });
  assert.match(shown, /has no like-for-like pair/);
});

test('without added delay the page says what a round trip takes and that none is saved', () => {
  const { words: shown } = pageOf({ networks: [NONE] });
  assert.match(
    shown,
    /Without added delay a round trip takes about 0\.\d ms.*worth next to nothing/,
  );
  assert.doesNotMatch(pageOf({ networks: [DELAYED] }).words, /worth next to nothing/);
});

test('each network shows what was asked beside what was measured and counted', () => {
  const slow = { ...DELAYED, name: 'slow', downKbps: 1500, upKbps: 384, lossPercent: 1 };
  const { document } = pageOf({ networks: [NONE, slow] }, ({ calibrations, pageLoads }) => {
    for (const [index, calibration] of calibrations.entries()) {
      const { rttMs, downKbps } = calibration.asked;
      calibration.udpRttMs.median = rttMs + (index < 2 ? 0.2 : 0.4);
      calibration.tcpRttMs.median = rttMs + 0.5;
      calibration.downKbps = downKbps && 1490;
      calibration.upKbps = downKbps && 380;
    }
    for (const { path, network } of pageLoads) {
      assert.ok(path);
      const loses = network.name === 'slow';
      path.toClient = { packets: 95, bytes: 1, lost: loses ? 3 : 0, queueDrops: loses ? 2 : 0 };
      path.toServer = { packets: 50, bytes: 1, lost: 0, queueDrops: 0 };
      path.maxLatenessMs = loses ? 5.5 : 0.42;
    }
  });
  const [none, limited] = [...document.querySelectorAll('table.network')].map((table) =>
    [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => words(cell.textContent ?? '')),
    ),
  );
  assert.deepEqual(none, [
    ['Round trip, UDP', '0 ms', '0.30 ms (0.20 to 0.40)'],
    ['Round trip, TCP', '0 ms', '0.50 ms'],
    ['Rates', 'no limit', 'not measured'],
    ['Lost, to browser', '0 %', '0 % (0 of 2,280)'],
    ['Lost, to servers', '0 %', '0 % (0 of 1,200)'],
    ['Queue drops, to browser', 'none', '0'],
    ['Queue drops, to servers', 'none', '0'],
    ['Packets more than 5 ms late', 'none', 'in 0 of 24 loads (at most 0.42 ms)'],
  ]);
  assert.deepEqual(limited, [
    ['Round trip, UDP', '30 ms', '30.30 ms (30.20 to 30.40)'],
    ['Round trip, TCP', '30 ms', '30.50 ms'],
    ['Rate, to browser', '1,500 kbit/s', '1,490 kbit/s'],
    ['Rate, to servers', '384 kbit/s', '380 kbit/s'],
    ['Lost, to browser', '1 %', '3 % (54 of 1,800)'],
    ['Lost, to servers', '1 %', '0 % (0 of 900)'],
    ['Queue drops, to browser', 'allowed', '36'],
    ['Queue drops, to servers', 'allowed', '0'],
    ['Packets more than 5 ms late', 'none', 'in 18 of 18 loads (at most 5.5 ms)'],
  ]);
});

test('both ends stand in a table as they were read, and unknown is said to be unknown', () => {
  const { document } = pageOf({}, ({ run }) => {
    run.fairness.client.tcpCongestionControl.value = 'bbr';
    run.fairness.server.segmentsPerPacket.value = null;
  });
  const rows = new Map(
    [...document.querySelectorAll('table.ends tbody tr')].map((row) => {
      const [what, ...ends] = [...row.querySelectorAll('th, td')].map((cell) =>
        words(cell.textContent ?? ''),
      );
      return [what, ends.slice(0, 2)];
    }),
  );
  assert.deepEqual(rows.get('TCP congestion control'), ['bbr', 'cubic']);
  assert.deepEqual(rows.get('MTU of the device'), ['1,500 bytes', '1,500 bytes']);
  assert.deepEqual(rows.get('Segments per packet'), ['1', 'unknown']);
  assert.deepEqual(rows.get('Offloads switched on'), [
    'tx-checksum-ip-generic',
    'tx-checksum-ip-generic',
  ]);
  assert.deepEqual(rows.get('Largest UDP receive buffer to ask for'), ['unknown', 'unknown']);
  assert.equal(rows.size, 19);
});

test('initial windows are set against each other only when the manifest holds both', () => {
  const withWindow = (packets: string | null) =>
    pageOf({}, ({ run }) => {
      const lsquic = run.fairness.stacks['lsquic-h3'];
      assert.ok(lsquic);
      lsquic.initialWindowPackets = { value: packets, from: 'the server' };
    });
  const differing = withWindow('32').words;
  assert.match(differing, /lsquic \(h3\) starts with a window of 32 packets and TCP with 10/);
  assert.match(differing, /Initial window 10 segments 32 packets differs/);
  assert.doesNotMatch(withWindow('10').words, /starts with a window of/);
  assert.match(withWindow('10').words, /Initial window 10 segments 10 packets equal/);
  for (const { words: shown } of [withWindow(null), pageOf({})]) {
    assert.doesNotMatch(shown, /starts with a window of/);
    assert.match(shown, /Initial window 10 segments unknown unknown/);
    assert.match(shown, /Congestion control cubic cubic equal/);
  }
});

test('who made the path stands there in words, with what is known of its priority', () => {
  assert.match(pageOf({ backend: 'netem' }).words, /made by netem/);
  assert.match(pageOf({}).words, /a link in Python.*real-time priority \(SCHED_FIFO\)/);
  const ordinary = pageOf({}, ({ calibrations }) => {
    for (const calibration of calibrations) calibration.linkPriority = 'none';
  });
  assert.match(ordinary.words, /ran without real-time priority: on a busy machine/);
  const unknown = pageOf({}, ({ calibrations }) => void calibrations.splice(0));
  assert.match(unknown.words, /Whether it ran with real-time priority is not known/);
});

test('each network has a line in the answer, a chart and a table that its link leads to', () => {
  for (const networks of [[DELAYED], [NONE, DELAYED], [NONE, DELAYED, { ...DELAYED, name: 'x' }]]) {
    const { document } = pageOf({ networks });
    assert.equal(document.querySelectorAll('.answers > li').length, networks.length);
    assert.equal(document.querySelectorAll('figure svg').length, networks.length);
    assert.equal(document.querySelectorAll('table.wide').length, networks.length);
    const links = [...document.querySelectorAll('.jump a')].map((link) =>
      link.getAttribute('href'),
    );
    assert.equal(links.length, networks.length > 1 ? networks.length : 0);
    for (const link of links) assert.ok(document.getElementById((link ?? '').slice(1)));
  }
});

test('growth with delay is shown where networks differ in the delay alone, and is no test', () => {
  const { document, words: shown } = pageOf({
    change: (load) => {
      load.timingsMs.pageLoad = 100 + load.network.rttMs * (load.stack === 'bun-h2' ? 5 : 4.5);
    },
  });
  const rows = [...document.querySelectorAll('table.growth tbody:last-of-type tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => words(cell.textContent ?? '')),
  );
  assert.deepEqual(rows, [
    ['www.wikipedia.org'],
    ['lsquic (h3)', '100.0', '235.0', '4.5'],
    ['Bun (h2)', '100.0', '250.0', '5.0'],
    ['Flask (http/1.1)', '100.0', '235.0', '4.5'],
  ]);
  assert.match(shown, /no line is fitted, no interval is given, nothing is tested/);
  assert.doesNotMatch(pageOf({ networks: [NONE] }).words, /Growth with delay/);
});

test('every load that has a HAR links to it', () => {
  const { document, pageLoads } = pageOf({ repetitions: 2 });
  const links = [...document.querySelectorAll('.page-loads a')].map((link) =>
    link.getAttribute('href'),
  );
  assert.deepEqual(links.toSorted(), pageLoads.map(({ har }) => har).toSorted());
});

test('loads left out are listed by reason, with an example', () => {
  const { document, pageLoads, run } = pageOf({
    networks: [NONE],
    change: (load) => {
      if (load.order === 8) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
      if (load.order === 9) spoil(load, 'invalid', 'wrong-protocol', 'a.css came over h2.');
    },
  });
  const labels = [8, 9].map((order) => {
    const load = pageLoads.find((each) => each.order === order);
    return run.stacks.find(({ stack }) => stack === load?.stack)?.label;
  });
  const rows = [...document.querySelectorAll('[aria-labelledby=ledger] tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => words(cell.textContent ?? '')),
  );
  assert.deepEqual(rows, [
    ['failed', 'timeout', '1', '0', `www.iana.org, ${labels[0]}: No load event within 30 s.`],
    [
      'invalid',
      'wrong-protocol',
      '1',
      '0',
      `www.iana.org, ${labels[1]}: a.css came over h2. (HAR)`,
    ],
  ]);
  assert.match(pageOf({}).words, /No load failed and none was invalid/);
});

test('an interrupted run says so at the top, and a run of which nothing was loaded still gives a page', () => {
  const cut = pageOf({}, ({ pageLoads }) => void pageLoads.splice(10));
  assert.match(cut.words, /The run ended before its plan did/);
  const empty = pageOf({}, ({ pageLoads }) => void pageLoads.splice(0));
  assert.match(empty.words, /nothing can be set side by side/);
  assert.doesNotMatch(empty.text, /NaN|undefined|Infinity|\[object/);
});

test('markup in names, sources, messages, codes, commands and versions renders as text', () => {
  const { text, document } = pageOf(
    {
      sites: [HOSTILE, 'www.iana.org'],
      networks: [NONE, { ...DELAYED, name: HOSTILE }],
      change: (load) => {
        if (load.order % 3 === 0) spoil(load, 'invalid', HOSTILE, HOSTILE);
        if (load.order === 5) load.har = `har/${HOSTILE}`;
      },
    },
    ({ run, calibrations }) => {
      for (const calibration of calibrations) calibration.linkPriority = HOSTILE;
      run.fairness.client.routes.value = [HOSTILE];
      run.fairness.stacks['lsquic-h3'] = { [HOSTILE]: { value: HOSTILE, from: HOSTILE } };
      run.runId = HOSTILE;
      run.startedAt = HOSTILE;
      run.versions[HOSTILE] = HOSTILE;
      run.host.cpu = HOSTILE;
      for (const site of run.sites) site.source = HOSTILE;
      for (const stack of run.stacks) stack.label = HOSTILE;
    },
  );
  assert.equal(document.querySelectorAll('script, img, [onerror]').length, 0);
  assert.doesNotMatch(text, /<script|<img/);
  assert.equal(text.match(/<style>/g)?.length, 1 + 2);
});

test('a run of 30 sites and 2 networks with 30 repetitions stays below 3 MB', () => {
  const sites = Array.from({ length: 30 }, (_, index) => `www.some-site-${index}.example`);
  const { text } = pageOf({
    sites,
    repetitions: 30,
    change: (load) => {
      const { site, network, stack, repetition } = load;
      load.har = `har/${site}.${network.name}.${stack}.${repetition || 'warm-up'}.har`;
    },
  });
  assert.ok(text.length < 3_000_000, `${text.length} bytes`);
});
