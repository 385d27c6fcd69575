import { type End, inhabitantsOf } from '../../network/inhabitants.ts';
import type { Path } from '../../network/path.ts';

/** Whatever runs at these ends of the path when this has ended is ended too. */
export async function withEndsCleared<T>(
  { agent }: Pick<Path, 'agent'>,
  say: (line: string) => void,
  use: () => Promise<T>,
  ends?: readonly End[],
): Promise<T> {
  const inhabitants = inhabitantsOf(agent, ends);
  // The last line of defence, as for every program that is started.
  process.on('exit', inhabitants.kill);
  try {
    return await use();
  } finally {
    const left = await inhabitants.end();
    process.off('exit', inhabitants.kill);
    if (left.length > 0) {
      const names = left.map(({ name, pid }) => `${name} (${pid})`);
      say(`Ended what was left at the ends of the path: ${names.join(', ')}.`);
    }
  }
}
