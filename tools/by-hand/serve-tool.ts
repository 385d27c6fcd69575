import { EXIT } from '../../ground/system/exit-status.ts';
import { complain, print } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';
import { SITE, SITE_BY_HAND_OPTIONS } from './site-options.ts';

export const serve: Tool = {
  summary:
    'serves a cached site over the path of a run until Ctrl-C, and prints how Chromium, curl and other clients connect',
  operands: [SITE],
  options: SITE_BY_HAND_OPTIONS,
  examples: [
    [
      'www.example.org --stack lsquic-h3 --rtt 30',
      'addresses, certificate, commands for Chromium and curl, and measurements of the path',
    ],
  ],
  statuses:
    'Exit status: 0 served until stopped, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do), 4 the server failed, 5 the path does not match the options, or broke, 130 interrupted before the site was served.',
  async run({ given, operands: [site = ''] }) {
    const { serveCommand } = await import('./serve.ts');
    const { stopNowOnSignals } = await import('../../runner/stop.ts');
    await serveCommand(site, given, { print, say: complain, signal: stopNowOnSignals() });
    return EXIT.ok;
  },
};
