import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts an invisible screen, passes on its DISPLAY, and ends it. */
export async function withScreen<T>(
  use: (display: string) => Promise<T>,
  more: readonly string[] = ['-nolisten', 'tcp'],
): Promise<T> {
  // It chooses a free number, and writes it to the third stream once it listens.
  const xvfb = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1600x2000x24', '-noreset', ...more],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const ended = once(xvfb, 'exit');
  try {
    const number = await Promise.race([
      once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data'),
      ended.then(() => Promise.reject(new Error('Xvfb ended at once'))),
    ]).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(
        'there is no Xvfb: npm run setup -- --for tests, or on Debian and Ubuntu: apt-get install xvfb',
      );
    });
    return await use(`:${String(number).trim()}`);
  } finally {
    if (xvfb.kill()) await ended;
  }
}
