import { commandsOfEnd, type PathEnd } from './addresses.ts';
import type { PathAgent } from './agent.ts';
import type { PathOptions } from './path.ts';

const RECEIVE_BUFFER = 'net.ipv4.tcp_rmem';

/**
 * Makes one end of the path out of a namespace with nothing but the device in it.
 * @throws CommandFailed, with what the command said.
 */
export async function makeEnd(
  agent: Pick<PathAgent, 'run'>,
  end: PathEnd & Pick<PathOptions, 'receiveBufferBytes'>,
): Promise<void> {
  for (const command of commandsOfEnd(end)) await agent.run(end.end, command);
  const { receiveBufferBytes = null } = end;
  if (receiveBufferBytes === null) return;
  const before = await agent.run(end.end, ['sysctl', '-n', RECEIVE_BUFFER]);
  const setting = beginningWith(receiveBufferBytes, before);
  await agent.run(end.end, ['sysctl', '-q', '-w', `${RECEIVE_BUFFER}=${setting}`]);
}

/** The setting has three numbers: the least, what a connection begins with, and the most that it may grow to. */
function beginningWith(bytes: number, before: string): string {
  const [least = 0, , most = 0] = before.trim().split(/\s+/).map(Number);
  return [Math.min(least, bytes), bytes, Math.max(most, bytes)].join(' ');
}
