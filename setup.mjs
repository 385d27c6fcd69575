// Brings everything that the benchmark needs onto this machine, before every npm script; when nothing is to do it
// only looks. This file and what it imports run on any Node from 20 on, without dependencies: they bring the npm
// packages, Node 24 among them, which runs the rest.
import { run } from './setup/command.mjs';
import { inProject } from './setup/folders.mjs';
import { packages } from './setup/packages.mjs';
import { pathNote } from './setup/path.mjs';
import { carryOut, reported, SetupError } from './setup/step.mjs';

const OPTIONS = '--only packages, --clients NAME,...';

/** Whether the npm packages alone are asked for, which is enough for `npm run report`; which further clients are. */
function readArguments(args) {
  if (args.length === 0) return { packagesOnly: false, clients: [] };
  if (args.join(' ') === '--only packages') return { packagesOnly: true, clients: [] };
  const [option, names, ...more] = args;
  if (option === '--clients' && names && more.length === 0) {
    return { packagesOnly: false, clients: names.split(',') };
  }
  throw new SetupError(`Unknown set-up option ${args.join(' ')}. Options: ${OPTIONS}`, 2);
}

reported(() => {
  const { packagesOnly, clients } = readArguments(process.argv.slice(2));
  // Before what takes long.
  const note = packagesOnly ? null : pathNote();
  if (note !== null) console.error(`set-up: note: ${note}`);
  carryOut(packages);
  if (packagesOnly) return;
  const node = inProject('node_modules', '.bin', 'node');
  const { status } = run(node, [inProject('setup', 'machine.ts'), ...clients], { show: true });
  process.exitCode = status ?? 1;
});
