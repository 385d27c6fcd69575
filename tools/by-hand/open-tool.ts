import { FLAG } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { complain, print } from '../../ground/system/printed.mjs';
import { latestRun } from '../../runner/latest-run.ts';
import type { Tool } from '../tool.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';

const OPEN_OPTIONS = {
  ...optionGroup('Of a site', 'invocation', {
    devtools: { ...FLAG, help: 'opens the Network panel of the DevTools before the page' },
  }),
  ...SITE_BY_HAND_OPTIONS,
};

export const open: Tool = {
  summary:
    "opens a cached site in a Chromium window, over the path of a run; or finished loads in the Network panel of Chromium's DevTools",
  operands: [
    {
      name: 'SITE|DIR|HAR',
      help: 'a cached site, which is served and loaded; the folder of a run (default results/latest); or any HAR (plain, gzip or zip)',
    },
    {
      name: 'LOAD',
      help: 'loads of the run by their ids, or unique parts of ids, one window each (default: the median loads of the first site and condition); or further HARs',
      many: true,
    },
  ],
  options: OPEN_OPTIONS,
  examples: [
    [
      'www.example.org --stack lsquic-h3 --rtt 30 --devtools',
      'this page over HTTP/3, with the Network panel of the DevTools',
    ],
    ['', 'median loads of the latest run, one window each'],
    ['results/latest bun-h2.3 lsquic-h3.3', 'these two loads'],
    ['page.har.gz', 'a HAR from elsewhere'],
  ],
  statuses:
    'Exit status: 0 the windows were closed, 1 a bug, 2 wrong usage, no such site or load, or no HAR, 3 this machine lacks something, such as a screen (the message says what to do), 4 the server failed, 5 the path does not match the options, or broke, 130 interrupted.',
  async run({ given, operands: [place = latestRun, ...more] }) {
    const { openCommand } = await import('./open.ts');
    const { stopNowOnSignals } = await import('../../runner/stop.ts');
    const byHand = { print, say: complain, signal: stopNowOnSignals() };
    await openCommand(place, more, given, byHand);
    return EXIT.ok;
  },
};
