import { NetworkError } from '../ground/system/errors.ts';
import type { LoadBeginning, PathAgent, Written } from './agent.ts';

/** Samples of a load's TCP connections, at one end. */
interface TcpInfo {
  /** Begins them, or has none taken where the load asks for none. */
  begin(load: Partial<LoadBeginning>): Promise<void>;
  /** Ends them, if there are any. */
  end(): Promise<void>;
  /**
   * Writes those of the load, once.
   * @throws NetworkError when none were begun
   */
  write(file: string): Promise<Written>;
}

/** Has samples taken where a load asks for them; where none does, nobody is asked for anything. */
export function sampleTcpInfo(
  agent: Pick<PathAgent, 'beginTcpInfo' | 'endTcpInfo' | 'writeTcpInfo'>,
): TcpInfo {
  let state: 'none' | 'going on' | 'ended' = 'none';
  const end = async () => {
    if (state !== 'going on') return;
    state = 'ended';
    await agent.endTcpInfo();
  };
  return {
    async begin({ tcpInfoMs = null, tcpInfoEnd = 'server', keepsConnections = false }) {
      if (tcpInfoMs === null) {
        await end();
        state = 'none';
        return;
      }
      state = 'none';
      await agent.beginTcpInfo({
        everyMs: tcpInfoMs,
        keepsConnections,
        end: tcpInfoEnd,
      });
      state = 'going on';
    },
    end,
    async write(file) {
      // Those of an earlier load would pass for this one's.
      if (state === 'none') throw new NetworkError('no samples of TCP_INFO were begun');
      state = 'none';
      return agent.writeTcpInfo(file);
    },
  };
}
