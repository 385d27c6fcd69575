import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary.ts';
import { summaryTable } from '../../../report/text-table.ts';
import { DELAYED, fixtureRun, NONE, spoil } from './fixture-run.ts';

function tableOf(...options: Parameters<typeof fixtureRun>): string {
  const { run, pageLoads } = fixtureRun(...options);
  return summaryTable(summarise(run, pageLoads));
}

test('each condition has its answer and a table, and each site medians and verdicts in columns that line up', () => {
  const table = tableOf({
    change: (load) => {
      const siteMs = load.site === 'www.iana.org' ? 12.34 : 1234.5;
      load.timingsMs.pageLoad = siteMs + load.network.rttMs;
    },
  });
  assert.equal(
    table,
    `With no added delay, lsquic (h3) and Bun (h2) are equally fast on pages like these 2 within the margin of 5 % (no difference).
With no added delay, Flask (http/1.1) and Bun (h2) are equally fast on pages like these 2 within the margin of 5 % (no difference).

Median page load time in ms and verdict against Bun (h2); network none: no added delay

site                lsquic (h3)   verdict       Bun (h2)   Flask (http/1.1)   verdict
www.iana.org               12.3   cannot tell       12.3               12.3   cannot tell
www.wikipedia.org       1,234.5   cannot tell    1,234.5            1,234.5   cannot tell

With 30 ms round-trip time added, lsquic (h3) and Bun (h2) are equally fast on pages like these 2 within the margin of 5 % (no difference).
With 30 ms round-trip time added, Flask (http/1.1) and Bun (h2) are equally fast on pages like these 2 within the margin of 5 % (no difference).

Median page load time in ms and verdict against Bun (h2); network 30ms: 30 ms round-trip time added

site                lsquic (h3)   verdict       Bun (h2)   Flask (http/1.1)   verdict
www.iana.org               42.3   cannot tell       42.3               42.3   cannot tell
www.wikipedia.org       1,264.5   cannot tell    1,264.5            1,264.5   cannot tell

No verdicts: at most 3 pairs of loads for each site and stack, and no test can tell below 6. Ask for --repetitions 20 or more.
`,
  );
});

test('loads left out are counted with their reason', () => {
  const table = tableOf({
    change: (load) => {
      if (load.order === 7) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
    },
  });
  assert.match(
    table,
    /1 load failed: timeout \(first: www\.iana\.org, .*No load event within 30 s\.\)/,
  );
  assert.match(table, /\(2\/3\)/);
});

test('warm-ups that were not ok are counted beside the loads, and by themselves where all loads were', () => {
  const spoiled = (also: number) =>
    tableOf({
      change: (load) => {
        if (load.warmup || load.order === also) spoil(load, 'invalid', 'path-disturbed', 'It was.');
      },
    });
  assert.match(spoiled(0), /\n\d+ warm-ups invalid: path-disturbed/);
  assert.match(spoiled(7), /\n1 load and \d+ warm-ups invalid: path-disturbed/);
});

test('a name cannot steer the terminal and a long one does not break the table', () => {
  const networks = [NONE, { ...DELAYED, name: '\u001b[2Jn' }];
  const table = tableOf({ sites: ['\u001b[2Jx\r', 'y'.repeat(100)], networks });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
  assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(table, /\n\?\[2Jx\? /);
  assert.match(table, /\ny{39}… /);
});
