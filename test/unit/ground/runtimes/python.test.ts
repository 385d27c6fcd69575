import assert from 'node:assert/strict';
import { test } from 'node:test';
import { python } from '../../../../ground/runtimes/python.ts';

/** Installs it with programs that fail if a call of theirs has one of these words. */
async function installed(
  ...failing: string[]
): Promise<{ trouble: string | null; calls: string[] }> {
  const calls: string[] = [];
  const trouble = await python.install?.run(async (program, args) => {
    const call = [program, ...args].join(' ');
    calls.push(call);
    return { ok: !failing.some((word) => call.includes(word)), output: 'no luck' };
  });
  assert.notEqual(trouble, undefined);
  return { trouble: trouble ?? null, calls };
}

test('makes the environment by the first Python that is new enough', async () => {
  const { trouble, calls } = await installed('python3 -c', 'python3.13 -c');
  assert.equal(trouble, null);
  assert.ok(calls.some((call) => call.startsWith('python3.12 -m venv')));
  assert.match(calls.at(-1) ?? '', /pip install .*--require-hashes/);
});

test('explains the remedy without a Python, venv or the packages', async () => {
  assert.match((await installed(' -c ')).trouble ?? '', /3\.11 or newer.*apt-get install python3/);
  assert.match(
    (await installed('venv --clear')).trouble ?? '',
    /apt-get install python3-venv.*no luck/s,
  );
  assert.match((await installed('pip')).trouble ?? '', /pip install failed:\nno luck/);
});
