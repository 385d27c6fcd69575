// Run by a test: makes an internet in which a command runs, reports it, and keeps it until this
// program ends.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withInternet } from '../internet/internet.ts';

const hosts = { 'web.test': 'web', 'retry.test': 'retry' } as const;

await withInternet({ hosts }, async ({ run, caFile }) => {
  const mark = path.join(path.dirname(caFile), 'runs');
  const running = run(['sh', '-c', `touch ${mark} && exec sleep 1000`]);
  while (!existsSync(mark)) await sleep(10);
  console.log('ready');
  if (process.argv.includes('--fails')) throw new Error('as asked');
  await running;
});
