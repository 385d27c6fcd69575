import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProfiles, PROFILE_PROGRAMS, profilerFinding } from '../../../profiles/programs.ts';

const GONE = { ok: false, reason: 'strace is not there' } as const;

test('rejects a profile whose program is missing before the run, with the package that has it', async () => {
  await assert.rejects(
    assertProfiles(['cpu', 'syscalls'], async () => GONE),
    {
      name: 'MachineError',
      message:
        /^--profile syscalls needs strace, .*strace is not there\. On Debian: apt-get install strace/,
    },
  );
});

test('tries only the programs of the requested profiles', async () => {
  const tried: string[] = [];
  await assertProfiles(['cpu', 'flame'], async ({ program }) => {
    tried.push(program);
    return { ok: true, output: '' };
  });
  assert.deepEqual(tried, ['perf']);
});

test('reports a missing program for profiles as a note of doctor, with what to install', () => {
  const { flame } = PROFILE_PROGRAMS;
  assert.ok(flame);
  assert.equal(profilerFinding('flame', flame, { ok: true, output: '' }).status, 'ok');
  const { status, found, remedy } = profilerFinding('flame', flame, GONE);
  assert.equal(status, 'note');
  assert.match(found, /--profile flame/);
  assert.match(remedy ?? '', /apt-get install linux-perf/);
});
