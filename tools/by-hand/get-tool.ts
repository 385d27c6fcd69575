import { complain } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';
import { GET_OPTIONS } from './get-options.ts';

export const get: Tool = {
  summary:
    'gets one URL by HTTP/3, HTTP/2 or HTTP/1.1, from a live server, or from a cached site over a path: the body on stdout, its timings on stderr',
  operands: [
    {
      name: 'URL',
      help: 'what to get; https:// may be omitted. Redirects are reported, not followed. npm run --silent get keeps the output of npm out of the body',
      needed: true,
    },
  ],
  options: GET_OPTIONS,
  examples: [
    ['https://www.example.org --via h3', 'the live server, over HTTP/3'],
    [
      'https://www.example.org --stack lsquic-h3 --rtt 30',
      'the cached site, served for this request over a path of 30 ms',
    ],
  ],
  statuses:
    'Exit status: 0 complete response with a status below 400; 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do); 4 unknown host, no connection, status 400 or above, or an incomplete body (its part is on stdout); 5 the path does not match the options; 130 interrupted.',
  async run({ given, operands: [url = ''] }) {
    const { getCommand } = await import('./get.ts');
    const { bodyOutput } = await import('./get.ts');
    const { stopNowOnSignals } = await import('../../runner/stop.ts');
    const output = bodyOutput(process.stdout);
    return getCommand(url, given, { output, say: complain, signal: stopNowOnSignals() });
  },
};
