import { valuesOf } from '../../ground/options/values.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import type { Tool } from '../tool.ts';
import { RECORD_OPTIONS } from './options.ts';

export const record: Tool = {
  summary: 'records a live page with the responses of every host, and replays it as a check',
  operands: [
    {
      name: 'URL',
      help: 'the page; https:// may be omitted',
      needed: true,
    },
  ],
  options: RECORD_OPTIONS,
  examples: [
    ['https://www.example.org/', 'the page as a desktop browser sees it'],
    ['www.example.org --mobile --scroll', 'as a phone sees it, scrolled to its end'],
  ],
  statuses:
    'Exit status: 0 recorded (differences of the replay are printed), 1 a bug, 2 wrong usage or no page, 3 this machine lacks something, 4 a server failed during the replay, 5 the page could not be reached or never finished loading, 130 interrupted.',
  async run({ given, operands: [url = ''] }) {
    const { recordCommand } = await import('./command.ts');
    const { stopNowOnSignals } = await import('../../runner/stop.ts');
    await recordCommand(url, valuesOf(RECORD_OPTIONS, given), { signal: stopNowOnSignals() });
    return EXIT.ok;
  },
};
