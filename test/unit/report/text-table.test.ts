import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../report/summary.ts';
import { summaryTable } from '../../../report/text-table.ts';
import { DELAYED, fixtureRun, NONE, spoil } from './fixture-run.ts';

function tableOf(...options: Parameters<typeof fixtureRun>): string {
  const { run, pageLoads } = fixtureRun(...options);
  return summaryTable(summarise(run, pageLoads));
}

test('each network has a table, and each site its medians in columns that line up', () => {
  const table = tableOf({
    change: (load) => {
      const siteMs = load.site === 'www.iana.org' ? 12.34 : 1234.5;
      load.timingsMs.pageLoad = siteMs + load.network.rttMs;
    },
  });
  assert.equal(
    table,
    `Median page load time in ms; network none: no added delay (in brackets: ok loads of planned)

site                  lsquic (h3)        Bun (h2)   Flask (http/1.1)
www.iana.org           12.3 (3/3)      12.3 (3/3)         12.3 (3/3)
www.wikipedia.org   1,234.5 (3/3)   1,234.5 (3/3)      1,234.5 (3/3)

Median page load time in ms; network 30ms: 30 ms round-trip time added (in brackets: ok loads of planned)

site                  lsquic (h3)        Bun (h2)   Flask (http/1.1)
www.iana.org           42.3 (3/3)      42.3 (3/3)         42.3 (3/3)
www.wikipedia.org   1,264.5 (3/3)   1,264.5 (3/3)      1,264.5 (3/3)

Medians only: this version computes no intervals and no verdicts.
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

test('a name cannot steer the terminal and a long one does not break the table', () => {
  const networks = [NONE, { ...DELAYED, name: '\u001b[2Jn' }];
  const table = tableOf({ sites: ['\u001b[2Jx\r', 'y'.repeat(100)], networks });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
  assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(table, /\n\?\[2Jx\? /);
  assert.match(table, /\ny{39}… /);
});
