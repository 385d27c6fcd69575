import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../../../../ground/system/errors.ts';
import { CommandError, type PathAgent } from '../../../../network/agent.ts';
import { netemAvailable } from '../../../../network/netem/available.ts';

/** An agent in whose namespaces matching commands fail. */
function agentOf({ userNamespace = false, fails = /^$/ } = {}) {
  const commands: string[] = [];
  const agent = {
    userNamespace,
    async run(_namespace: string, command: readonly string[]) {
      const line = command.join(' ');
      commands.push(line);
      if (fails.test(line)) throw new CommandError(`\`${line}\` failed: unknown`);
      return '';
    },
  };
  return { commands, agent: agent as unknown as PathAgent };
}

const PROBES = [
  'tc qdisc add dev lo root handle 1: netem delay 1ms',
  'tc qdisc add dev lo parent 1:1 handle 10: tbf rate 1mbit burst 1600 limit 16000',
  'tc qdisc delete dev lo root',
];

test('tries netem and the token bucket as in the path, and removes them', async () => {
  const { agent, commands } = agentOf();
  assert.equal(await netemAvailable(agent), true);
  assert.deepEqual(commands, ['modprobe sch_netem', 'modprobe sch_tbf', ...PROBES]);
});

test('does not try to load modules for an ordinary user', async () => {
  const { agent, commands } = agentOf({ userNamespace: true });
  assert.equal(await netemAvailable(agent), true);
  assert.deepEqual(commands, PROBES);
});

test('accepts a module that cannot be loaded, as it may be built in', async () => {
  const { agent } = agentOf({ fails: /^modprobe/ });
  assert.equal(await netemAvailable(agent), true);
});

test('reports a kernel without netem with its release and error', async () => {
  const { agent, commands } = agentOf({ fails: /netem delay|delete/ });
  const reason = await netemAvailable(agent);
  assert.match(String(reason), /netem .*kernel \S+.*: `tc qdisc add .*` failed: unknown/);
  assert.equal(commands.at(-1), PROBES.at(-1));
});

test('rejects a kernel with netem and without a token bucket', async () => {
  const { agent } = agentOf({ fails: /tbf/ });
  assert.match(String(await netemAvailable(agent)), /tbf rate/);
});

test('concludes nothing about netem if the agent does not answer', async () => {
  const run = async () => {
    throw new NetworkError('The path agent did not answer within 10 s.');
  };
  const agent = { userNamespace: true, run } as unknown as PathAgent;
  await assert.rejects(netemAvailable(agent), /did not answer/);
});
