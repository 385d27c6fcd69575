// Installs everything that the benchmark needs, before every command; only checks when nothing is missing. This file and its
// imports run on Node 20 or later without dependencies: they install the npm packages, including Node 24, which runs the rest.

import { mkdirSync } from 'node:fs';
import { madeFolder, nodeProgram } from './ground/system/folders.mjs';
import { complain, print } from './ground/system/printed.mjs';
import { run } from './setup/command.mjs';
import { inProject } from './setup/folders.mjs';
import { unlock } from './setup/lock.mjs';
import { packages } from './setup/packages.mjs';
import { pathNote } from './setup/path.mjs';
import { SetupError } from './setup/setup-error.mjs';
import { carryOut, reported } from './setup/step.mjs';

const OPTIONS =
  '--only packages, --clients NAME,...|available, --stacks NAME,...|available, --for EXPERIMENT|tests, --browser firefox';

const HELP = `Usage: npm run setup -- [options]

Installs what commands need, and what these options name. Commands do the first themselves.

  --only packages            npm packages alone
  --stacks NAME,...          servers that do not come with the project, also of a version
                             (quic-go-h3@0.50.1); available: all that this machine can build
  --clients NAME,...         clients of connect and transfer; available: all
  --for EXPERIMENT           what an experiment needs, such as video; tests: what tests need
  --browser firefox          Firefox`;

/** Whether only npm packages are requested (enough for `npm run report`), and which further clients, stacks, purposes and browsers, and the command that follows. */
function readArguments(args) {
  const requested = {
    '--clients': '',
    '--stacks': '',
    '--for': '',
    '--browser': '',
    '--command': '',
  };
  if (args.join(' ') === '--only packages') return { packagesOnly: true, requested };
  for (let at = 0; at < args.length; at += 2) {
    const [option, names] = args.slice(at, at + 2);
    if (!Object.hasOwn(requested, option) || !names) {
      throw new SetupError(`Unknown set-up option ${args.join(' ')}. Options: ${OPTIONS}`, 2);
    }
    if (requested[option] !== '') {
      throw new SetupError(
        `${option} occurs twice. Give it once, with commas between the names.`,
        2,
      );
    }
    requested[option] = names;
  }
  return { packagesOnly: false, requested };
}

await reported(async () => {
  if (['--help', '-h'].includes(process.argv[2])) return print(HELP);
  const { packagesOnly, requested } = readArguments(process.argv.slice(2));
  mkdirSync(madeFolder, { recursive: true });
  // Before the slow steps.
  const note = packagesOnly ? null : await pathNote();
  if (note !== null) complain(`set-up: note: ${note}`);
  await carryOut(packages);
  unlock();
  if (packagesOnly) return;
  const machine = [inProject('setup', 'machine.ts'), ...Object.values(requested)];
  const { status } = await run(nodeProgram, machine, { show: true });
  process.exitCode = status ?? 1;
});
