import { withUserspacePath } from '../../../network/userspace/backend.ts';

// Makes a path, reports it, and keeps it until it is killed.
const [python = 'python3'] = process.argv.slice(2);
const options = { python, hosts: 1, congestionControl: 'cubic', initcwnd: null };
await withUserspacePath(options, async () => {
  console.log('made');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
