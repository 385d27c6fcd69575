// Run by a test: makes an internet in which a command runs, says so, and keeps it until something ends this program.
import { withInternet } from '../internet/internet.ts';

const hosts = { 'web.test': 'web', 'retry.test': 'retry' } as const;

await withInternet({ hosts }, async ({ run, caFile }) => {
  const running = run(['sleep', '1000']);
  console.log(`ready ${caFile}`);
  if (process.argv.includes('--fails')) throw new Error('as asked');
  await running;
});
