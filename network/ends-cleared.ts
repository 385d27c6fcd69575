import { type End, type Inhabitant, inhabitantsOf } from './inhabitants.ts';
import type { Path } from './path.ts';

/**
 * Uses the ends of a path, and then ends all processes that are left there: daemons of servers, and what users have started.
 * @param ends left out: both
 * @param onEnded is called with them, if there are any
 */
export async function withEndsCleared<T>(
  { agent }: Pick<Path, 'agent'>,
  { ends, onEnded }: { ends?: readonly End[]; onEnded?: (ended: Inhabitant[]) => void },
  use: () => Promise<T>,
): Promise<T> {
  const inhabitants = inhabitantsOf(agent, ends);
  // The last line of defence, as for every program that is started.
  process.on('exit', inhabitants.kill);
  try {
    return await use();
  } finally {
    const ended = await inhabitants.end();
    process.off('exit', inhabitants.kill);
    if (ended.length > 0) onEnded?.(ended);
  }
}
