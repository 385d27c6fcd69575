import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { MachineError } from '../../ground/system/errors.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';
import { isAnswered, type ScreenAddress, screenAddresses, X11_FOLDER } from './screen.ts';

/**
 * Makes the screen reachable from every network namespace. Passes on the prefix for commands in a namespace, and always cleans up.
 * A Unix socket is reachable already; a TCP port, as of ssh -X, gets such a socket. The display number stays, which selects its key.
 * @throws MachineError if another screen has that socket
 */
export async function withScreenEverywhere<T>(
  use: (environment: readonly string[]) => Promise<T>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<T> {
  const number = /:(\d+)/.exec(env.DISPLAY ?? '')?.[1];
  const screen = await firstAnswering(screenAddresses(env));
  if (number === undefined || screen === null || isFile(screen)) return use([]);
  const sockets = new Set<Socket>();
  const relay = createServer((here) => {
    const there = connect(screen);
    for (const socket of [here, there]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    here.pipe(there).once('close', () => here.destroy());
    there.pipe(here).once('close', () => there.destroy());
  });
  const file = `${X11_FOLDER}/X${number}`;
  await listen(relay, file, env.DISPLAY);
  // Last cleanup, as for every started program.
  const remove = () => rmSync(file, { force: true });
  process.on('exit', remove);
  try {
    return await use([`DISPLAY=:${number}`]);
  } finally {
    process.off('exit', remove);
    relay.close();
    for (const socket of sockets) socket.destroy();
  }
}

async function firstAnswering(addresses: readonly ScreenAddress[]): Promise<ScreenAddress | null> {
  for (const address of addresses) if (await isAnswered(address)) return address;
  return null;
}

function isFile(address: ScreenAddress): boolean {
  return 'path' in address && !address.path.startsWith('\0');
}

async function listen(relay: Server, socket: string, display = ''): Promise<void> {
  // Sticky and writable for all users, as X servers create it, regardless of the umask.
  if (await mkdir(X11_FOLDER, { recursive: true })) await chmod(X11_FOLDER, 0o1777);
  try {
    // A killed relay leaves its socket behind.
    if (!(await isAnswered({ path: socket }))) await rm(socket, { force: true });
    relay.listen(socket);
    await once(relay, 'listening');
    await lend(socket);
  } catch (error) {
    throw new MachineError(
      `The screen DISPLAY=${display} is behind a TCP port, which the client's namespace cannot reach, and cannot get a socket there: ${(error as Error).message}. Remove ${socket} if no screen uses it, or use npm run serve, which prints how to reach the site without a window.`,
    );
  }
}
