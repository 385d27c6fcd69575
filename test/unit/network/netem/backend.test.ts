import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../../../../ground/system/errors.ts';
import { CommandError, type PathAgent } from '../../../../network/agent.ts';
import { netemAvailable } from '../../../../network/netem/available.ts';

/** An agent in whose namespaces commands fail that match. */
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

test('netem and the token bucket are tried as the path has them, and taken away again', async () => {
  const { agent, commands } = agentOf();
  assert.equal(await netemAvailable(agent), true);
  assert.deepEqual(commands, ['modprobe sch_netem', 'modprobe sch_tbf', ...PROBES]);
});

test('an ordinary user does not try to load modules', async () => {
  const { agent, commands } = agentOf({ userNamespace: true });
  assert.equal(await netemAvailable(agent), true);
  assert.deepEqual(commands, PROBES);
});

test('a module that cannot be loaded may be built in', async () => {
  const { agent } = agentOf({ fails: /^modprobe/ });
  assert.equal(await netemAvailable(agent), true);
});

test('a kernel without netem is told with its release and the complaint', async () => {
  const { agent, commands } = agentOf({ fails: /netem delay|delete/ });
  const reason = await netemAvailable(agent);
  assert.match(String(reason), /netem .*kernel \S+.*: `tc qdisc add .*` failed: unknown/);
  assert.equal(commands.at(-1), PROBES.at(-1));
});

test('a kernel with netem and without a token bucket is as good as none', async () => {
  const { agent } = agentOf({ fails: /tbf/ });
  assert.match(String(await netemAvailable(agent)), /tbf rate/);
});

test('an agent that does not answer says nothing about netem', async () => {
  const run = async () => {
    throw new NetworkError('The path agent did not answer within 10 s.');
  };
  const agent = { userNamespace: true, run } as unknown as PathAgent;
  await assert.rejects(netemAvailable(agent), /did not answer/);
});
