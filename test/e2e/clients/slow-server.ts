import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The server of a stack on Bun with late responses: `bun slow-server.ts DELAY_MS PROGRAM
 * ARGUMENTS...`.
 */
const [delayMs = '', program = ''] = process.argv.splice(2, 2);
const { serve } = Bun;
Bun.serve = (options) =>
  serve({
    ...options,
    async fetch(request) {
      await sleep(Number(delayMs));
      return options.fetch(request);
    },
  });
await import(program);
