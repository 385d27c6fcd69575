import { complain } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';
import { GET_OPTIONS } from './get-options.ts';

export const get: Tool = {
  summary:
    'gets one URL by HTTP/3, HTTP/2 or HTTP/1.1: the body to stdout, what it took to stderr; of a live server, or of a cached site over a path',
  operands: [
    {
      name: 'URL',
      help: 'what to get; https:// may be omitted. Redirects are told, and not followed. npm run --silent get keeps what npm says out of the body',
      needed: true,
    },
  ],
  options: GET_OPTIONS,
  examples: [
    ['https://www.example.org --via h3', 'of the live server, by HTTP/3'],
    [
      'https://www.example.org --stack lsquic-h3 --rtt 30',
      'of the cached site, served for this request over a path of 30 ms',
    ],
  ],
  statuses:
    'Exit status: 0 the whole answer came, with a status below 400; 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do); 4 no such host, no connection, a status of 400 or more, or a body that is not whole (what came is on stdout); 5 the network is not what was asked for; 130 interrupted.',
  async run({ given, operands: [url = ''] }) {
    const { getCommand } = await import('./get.ts');
    const { bodyOutput } = await import('./get.ts');
    const { stopNowOnSignals } = await import('../../runner/stop.ts');
    const output = bodyOutput(process.stdout);
    return getCommand(url, given, { output, say: complain, signal: stopNowOnSignals() });
  },
};
