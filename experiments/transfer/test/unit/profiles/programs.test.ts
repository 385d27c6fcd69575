import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProfiles, PROFILE_PROGRAMS, profilerFinding } from '../../../profiles/programs.ts';

const GONE = { ok: false, reason: 'strace is not there' } as const;

test('a profile whose program is missing is refused before the run, with the package that has it', async () => {
  await assert.rejects(
    assertProfiles(['cpu', 'syscalls'], async () => GONE),
    {
      name: 'MachineError',
      message:
        /^--profile syscalls needs strace, .*strace is not there\. On Debian: apt-get install strace/,
    },
  );
});

test('only the programs of profiles that were asked for are tried', async () => {
  const tried: string[] = [];
  await assertProfiles(['cpu', 'flame'], async ({ program }) => {
    tried.push(program);
    return { ok: true, output: '' };
  });
  assert.deepEqual(tried, ['perf']);
});

test('doctor tells of a program for profiles as a note, and what to install', () => {
  const { flame } = PROFILE_PROGRAMS;
  assert.ok(flame);
  assert.equal(profilerFinding('flame', flame, { ok: true, output: '' }).status, 'ok');
  const { status, found, remedy } = profilerFinding('flame', flame, GONE);
  assert.equal(status, 'note');
  assert.match(found, /--profile flame/);
  assert.match(remedy ?? '', /apt-get install linux-perf/);
});
