import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttemptEnded, failed } from '../../../experiments/checks.ts';
import { clientFailure, countPath } from '../../../experiments/trial.ts';
import type { MachineUse } from '../../../ground/records/machine-use.ts';
import { NetworkError } from '../../../ground/system/errors.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import { pathWith, runTrial, stepsWith, trialOf } from './made-up-trial.ts';

test('begins an attempt, watches its action, counts, and only then writes and checks it', async () => {
  const order: string[] = [];
  const made = await runTrial(NOTHING_ADDED, {
    async begin() {
      order.push('begin');
      return {
        watch() {
          order.push('watch');
          const end = () => {
            order.push('end');
            return {} as MachineUse;
          };
          return { end };
        },
        async act() {
          order.push('act');
          return {};
        },
        async count() {
          order.push('count');
          return { path: pathWith(), connections: null, stepsMs: { act: 2 } };
        },
      };
    },
    onReadyForNext: () => order.push('settled'),
    async write() {
      order.push('write');
      return { files: { packets: 'a.pcapng' }, failure: null };
    },
    checks() {
      order.push('check');
      return [];
    },
  });
  assert.deepEqual(order, ['begin', 'watch', 'act', 'end', 'count', 'settled', 'write', 'check']);
  const { outcome, files, stepsMs, details } = made;
  assert.deepEqual(
    { outcome, files, stepsMs, details },
    { outcome: 'ok', files: { packets: 'a.pcapng' }, stepsMs: { act: 2 }, details: { any: true } },
  );
});

test('counts packets before reading samples and connections', async () => {
  const order: string[] = [];
  const path = {
    count: async () => order.push('count'),
    connections: async (keyLog?: string) => order.push(`connections by ${keyLog}`),
  } as unknown as Parameters<typeof countPath>[0];
  const samples = async () => {
    order.push('samples');
    return [];
  };
  await countPath(path, { samples, keyLog: async () => 'keys' });
  assert.deepEqual(order, ['count', 'samples', 'connections by keys']);
});

test('turns an error into the failure of its attempt, without files', async () => {
  let settled = 0;
  const breaks = {
    act: () => Promise.reject(new NetworkError('gone')),
    write: () => assert.fail('it was written'),
    onReadyForNext: () => void settled++,
  };
  const { outcome, code, message, details, stepsMs } = await runTrial(NOTHING_ADDED, breaks);
  assert.deepEqual(
    { outcome, code, message, details, stepsMs, settled },
    {
      outcome: 'failed',
      code: 'network-failed',
      message: 'gone',
      details: null,
      stepsMs: {},
      settled: 1,
    },
  );
});

test('explains an attempt that cannot be made, with the known values', async () => {
  const judgement = { outcome: 'unsupported' as const, code: 'unsupported', message: 'no ticket' };
  const known = { details: { any: false }, stepsMs: { prime: 3 } };
  const begin = () => Promise.reject(new AttemptEnded(judgement, known));
  const made = await runTrial(NOTHING_ADDED, { begin });
  const { outcome, details, stepsMs, path } = made;
  assert.deepEqual(
    { outcome, details, stepsMs, path },
    { outcome: 'unsupported', ...known, path: null },
  );
});

test('throws only an interruption', async () => {
  const controller = new AbortController();
  const act = () => controller.abort(new Error('interrupted'));
  const interrupted = runTrial(NOTHING_ADDED, { act }, trialOf('a'), controller.signal);
  await assert.rejects(interrupted, /interrupted/);
});

test('ranks a failure of its own before that of its files, and both before all checks', async () => {
  const problem = (code: string) => ({ code, message: 'It broke.' });
  const own = { failure: () => failed(problem('own')) };
  const unwritten = { write: async () => ({ files: {}, failure: problem('packets-failed') }) };
  const checks = { checks: () => [() => problem('checked')] };
  const codeOf = async (making: object) => (await runTrial(NOTHING_ADDED, making)).code;
  assert.equal(await codeOf({ ...own, ...unwritten, ...checks }), 'own');
  assert.equal(await codeOf({ ...unwritten, ...checks }), 'packets-failed');
  assert.equal(await codeOf(checks), 'checked');
});

test('has an attempt for each arm of a jointly measured block, each with its own machine', async () => {
  const [a, b] = [trialOf('a'), trialOf('b')];
  const machines = new Map([['a', { serverCpuMs: 1 } as MachineUse]]);
  const begin = async () => ({
    ...stepsWith({}),
    watch: () => ({ end: () => machines as unknown as MachineUse }),
  });
  const write = async () => ({ files: { packets: 'a.pcapng' }, failure: null });
  const made = await runTrial(NOTHING_ADDED, { block: [b, a], begin, write }, a);
  assert.deepEqual([made.machine?.serverCpuMs, made.files.packets], [1, 'a.pcapng']);
  const other = made.otherArms?.get('b');
  assert.deepEqual([other?.outcome, other?.machine, other?.files], ['ok', null, {}]);
});

test('reports the other arms of a failed block as not measured together', async () => {
  const [a, b] = [trialOf('a'), trialOf('b')];
  const act = () => Promise.reject(new Error('gone'));
  const made = await runTrial(NOTHING_ADDED, { block: [a, b], act }, a);
  const other = made.otherArms?.get('b');
  assert.deepEqual(
    [made.code, other?.outcome, other?.code],
    ['client-failed', 'invalid', 'not-together'],
  );
});

test('fails an attempt by the error of its program', () => {
  assert.equal(clientFailure(new NetworkError('gone'), {}).code, 'network-failed');
  const message = 'gone';
  assert.deepEqual(clientFailure(new Error(message), {}), { code: 'client-failed', message });
  const signal = AbortSignal.abort(new Error('interrupted'));
  assert.throws(() => clientFailure(new Error(message), { signal }), /interrupted/);
});
