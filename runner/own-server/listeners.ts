import { isOverTcp, type Protocol } from '../../ground/records/protocol.ts';
import { CommandError, type PathAgent } from '../../network/agent.ts';

export interface Listener {
  /** `0.0.0.0`, `*` and `[::]` mean all addresses. */
  address: string;
  port: number;
  /** The first process that has it; null: unknown. */
  pid: number | null;
}

/** Listening sockets of this machine for a protocol, TCP where it offers both; null: this system's `ss` does not report them. */
export async function listenersOf(
  agent: Pick<PathAgent, 'run'>,
  protocol: Protocol,
): Promise<Listener[] | null> {
  const kind = isOverTcp(protocol) ? '-t' : '-u';
  try {
    return parseListeners(await agent.run('machine', ['ss', '-H', '-l', '-n', '-p', kind]));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return null;
  }
}

/** Parses the output of `ss -Hlnp` with `-t` or `-u`. */
export function parseListeners(output: string): Listener[] {
  return output.split('\n').flatMap((line) => {
    const [, address, port] = /^\S+\s+\d+\s+\d+\s+(\S+):(\d+)\s/.exec(line) ?? [];
    if (address === undefined) return [];
    const pids = [...line.matchAll(/\bpid=(\d+)/g)].map(([, pid]) => Number(pid));
    return [
      {
        address: address.replace(/%.*$/, ''),
        port: Number(port),
        pid: pids.length === 0 ? null : Math.min(...pids),
      },
    ];
  });
}

/** Whether only this machine itself reaches it. */
export function isLoopbackOnly({ address }: Listener): boolean {
  return address.startsWith('127.') || address === '[::1]' || address.startsWith('[::ffff:127.');
}
