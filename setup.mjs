// Brings everything that the benchmark needs onto this machine, before every npm script; when nothing is to do it
// only looks. This file and what it imports run on any Node from 20 on, without dependencies: they bring the npm
// packages, Node 24 among them, which runs the rest.

import { complain } from './ground/system/printed.mjs';
import { run } from './setup/command.mjs';
import { inProject } from './setup/folders.mjs';
import { unlock } from './setup/lock.mjs';
import { packages } from './setup/packages.mjs';
import { pathNote } from './setup/path.mjs';
import { SetupError } from './setup/setup-error.mjs';
import { carryOut, reported } from './setup/step.mjs';

const OPTIONS =
  '--only packages, --clients NAME,...|available, --stacks NAME,...|available, --for EXPERIMENT|tests';

/** Whether the npm packages alone are asked for, which is enough for `npm run report`; which further clients and stacks are, and for what. */
function readArguments(args) {
  const asked = { '--clients': '', '--stacks': '', '--for': '' };
  if (args.join(' ') === '--only packages') return { packagesOnly: true, asked };
  for (let at = 0; at < args.length; at += 2) {
    const [option, names] = args.slice(at, at + 2);
    if (!Object.hasOwn(asked, option) || !names) {
      throw new SetupError(`Unknown set-up option ${args.join(' ')}. Options: ${OPTIONS}`, 2);
    }
    asked[option] = names;
  }
  return { packagesOnly: false, asked };
}

await reported(async () => {
  const { packagesOnly, asked } = readArguments(process.argv.slice(2));
  // Before what takes long.
  const note = packagesOnly ? null : await pathNote();
  if (note !== null) complain(`set-up: note: ${note}`);
  await carryOut(packages);
  unlock();
  if (packagesOnly) return;
  const node = inProject('node_modules', '.bin', 'node');
  const machine = [inProject('setup', 'machine.ts'), ...Object.values(asked)];
  const { status } = await run(node, machine, { show: true });
  process.exitCode = status ?? 1;
});
