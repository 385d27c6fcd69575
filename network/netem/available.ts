import { release } from 'node:os';
import { words } from '../addresses.ts';
import { CommandError, type PathAgent } from '../agent.ts';

/**
 * Finds out whether this machine has netem, in a namespace of the agent.
 * @returns true, or the reason why not.
 */
export async function netemAvailable(agent: PathAgent): Promise<true | string> {
  if (!agent.userNamespace) {
    for (const module of ['sch_netem', 'sch_tbf']) await tryRun(agent, ['modprobe', module]);
  }
  // The path's queueing disciplines, on a device that nothing uses.
  const add = 'tc qdisc add dev lo';
  const bucket = 'tbf rate 1mbit burst 1600 limit 16000';
  try {
    await agent.run('client', words(`${add} root handle 1: netem delay 1ms`));
    await agent.run('client', words(`${add} parent 1:1 handle 10: ${bucket}`));
    return true;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return `netem cannot be used on this machine (kernel ${release()}): ${error.message}`;
  } finally {
    await tryRun(agent, words('tc qdisc delete dev lo root'));
  }
}

/** Runs a command, and ignores its failure. */
async function tryRun(agent: PathAgent, command: readonly string[]): Promise<void> {
  await agent.run('client', command).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
  });
}
