import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { startChild } from '../../../../ground/system/child-process.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { runs, until } from '../../setup/set-up-project.ts';

const PARENT = path.join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'ground',
  'system',
  'child-process.ts',
);

/**
 * Starts three daemons, prints their numbers, and detaches from them: a session, a second fork, and
 * both, deaf to all but SIGKILL.
 */
const DAEMONS = `#!/bin/sh
setsid sleep 1000 </dev/null >/dev/null 2>&1 &
echo $!
(sleep 1000 </dev/null >/dev/null 2>&1 & echo $!)
(trap '' TERM HUP INT; setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $!)
`;

function daemonProgram(t: TestContext, then: string): string {
  const file = path.join(temporaryFolder(t), 'daemons.sh');
  writeFileSync(file, `${DAEMONS}${then}\n`, { mode: 0o755 });
  return file;
}

async function started(program: string, endsDaemons = true) {
  const child = startChild(program, [], { endsDaemons });
  const pids: number[] = [];
  if (!child.process.stdout) throw new Error('no pipe');
  createInterface(child.process.stdout).on('line', (line) => pids.push(Number(line)));
  await until(() => pids.length === 3);
  return { child, pids };
}

test('ends daemons with the program that started them, and with no other one', async (t) => {
  const program = daemonProgram(t, 'exec sleep 1000');
  const [one, other] = [await started(program), await started(program)];
  await one.child.stop(1000);
  await until(() => !one.pids.some(runs));
  assert.deepEqual(one.pids.filter(runs), []);
  assert.deepEqual(other.pids.filter(runs), other.pids);
  await other.child.stop(1000);
  await until(() => !other.pids.some(runs));
  assert.deepEqual(other.pids.filter(runs), []);
});

test('ends daemons of a program that ends by itself', async (t) => {
  const { child, pids } = await started(daemonProgram(t, 'sleep 0.3'));
  await child.ended;
  // A killed process is there until the kernel has removed it.
  await until(() => !pids.some(runs));
  assert.deepEqual(pids.filter(runs), []);
});

test('ends daemons with a process that ends without stopping its children', async (t) => {
  const program = daemonProgram(t, 'exec sleep 1000');
  const script = path.join(temporaryFolder(t), 'runner.ts');
  writeFileSync(
    script,
    `import { startChild } from ${JSON.stringify(PARENT)};
    const child = startChild(${JSON.stringify(program)}, [], { endsDaemons: true });
    let text = '';
    child.process.stdout?.on('data', (data) => {
      text += data;
      if (text.split('\\n').length < 4) return;
      console.log(text.trim());
      process.exit(0);
    });`,
  );
  const { child, pids } = await started(nodeProgram(t, script), false);
  await child.ended;
  // A killed process is there until the kernel has removed it.
  await until(() => !pids.some(runs));
  assert.deepEqual(pids.filter(runs), []);
});

/** A program that runs a script by this Node. */
function nodeProgram(t: TestContext, script: string): string {
  const file = path.join(temporaryFolder(t), 'run.sh');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`, { mode: 0o755 });
  return file;
}
