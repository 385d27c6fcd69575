import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../../ground/system/exit-status.ts';
import { measuringCommands } from '../../../../runner/command-line/commands.ts';
import { refuseOptionsThatNpmTook } from '../../../../runner/command-line/npm-flags.ts';
import { loadTools } from '../../../../tools/index.ts';

const COMMANDS = { ...measuringCommands(), ...(await loadTools()) };

const NPM = { npm_lifecycle_event: 'benchmark' };

test('returns options that npm took to the intended command', () => {
  for (const [taken, args, meant] of [
    [{ npm_config_sites: 'a.test,b.test' }, [], '--sites=a.test,b.test'],
    [{ npm_config_sites: 'true' }, ['a.test'], '--sites a.test'],
    [{ npm_config_rtt: 'true', npm_config_pin: 'true' }, ['30'], '--pin --rtt 30'],
    [{ npm_config_rtt: 'true', npm_config_sites: '' }, ['30', 'a.test'], '--sites ... --rtt ...'],
    [{ npm_config_burst_loss: '1,20', npm_config_pin: 'true' }, [], '--burst-loss=1,20 --pin'],
    [{ npm_config_compress_hars: 'true' }, ['--seed', '2'], '--compress-hars --seed 2'],
    [{ npm_config_fail_if: "it's slow" }, [], `'--fail-if=it'\\''s slow'`],
  ] as const) {
    assert.throws(
      () => refuseOptionsThatNpmTook(args, { ...NPM, ...taken }, COMMANDS),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.ok(error.message.includes(`npm run benchmark -- ${meant}`), error.message);
        return true;
      },
    );
  }
});

test('returns options of every command that npm took', () => {
  for (const [script, taken, args, meant] of [
    ['merge', { npm_config_out: 'true' }, ['a', 'b', 'c'], '--out ...'],
    ['export', { npm_config_to: 'x' }, ['a.test'], '--to=x a.test'],
    ['record', { npm_config_mobile: 'true' }, ['a.test'], '--mobile a.test'],
  ] as const) {
    assert.throws(
      () => refuseOptionsThatNpmTook(args, { npm_lifecycle_event: script, ...taken }, COMMANDS),
      (error) => error instanceof UsageError && error.message.endsWith(` ${script} -- ${meant}`),
      script,
    );
  }
});

test("ignores npm's own options, and runs that npm did not start", () => {
  refuseOptionsThatNpmTook(
    [],
    { ...NPM, npm_config_progress: 'false', npm_config_cache: '/x' },
    COMMANDS,
  );
  refuseOptionsThatNpmTook([], { npm_config_sites: 'a.test' }, COMMANDS);
  refuseOptionsThatNpmTook(
    [],
    { npm_lifecycle_event: 'test', npm_config_sites: 'a.test' },
    COMMANDS,
  );
});
