import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { withDeadline } from '../../ground/system/deadline.ts';
import { MachineError } from '../../ground/system/errors.ts';
import { lend, userChoice } from '../../ground/system/unprivileged-user.ts';
import { LIMITS } from '../browser-limits.ts';

/** Address of a screen: a Unix socket or a TCP port. */
export type ScreenAddress = { path: string } | { host: string; port: number };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks that there is a screen for a window.
 * @param instead alternative without a screen, as a sentence
 * @throws MachineError if the environment names no screen, or the screen does not respond
 */
export async function assertScreen(instead: string, env: Environment = process.env): Promise<void> {
  const named = (['WAYLAND_DISPLAY', 'DISPLAY'] as const).filter((name) => env[name]);
  if (named.length === 0) {
    throw new MachineError(
      `There is no screen to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. ${remedy(instead)}`,
    );
  }
  const answers = await Promise.all(screenAddresses(env).map(isAnswered));
  if (answers.includes(true)) return;
  const said = named.map((name) => `${name}=${env[name]}`).join(' and ');
  throw new MachineError(
    `The screen does not respond: ${said}. Set a screen that does. ${remedy(instead)}`,
  );
}

function remedy(instead: string): string {
  return `Over ssh, log in with ssh -X; for an invisible screen, put xvfb-run before the command. ${instead}`;
}

export function screenAddresses(env: Environment): ScreenAddress[] {
  const { WAYLAND_DISPLAY: wayland, XDG_RUNTIME_DIR: runtime = '', DISPLAY: display = '' } = env;
  const addresses: ScreenAddress[] = wayland ? [{ path: path.resolve(runtime, wayland) }] : [];
  const [, host = '', number] = /^\[?(.*?)\]?:(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return addresses;
  if (host !== '' && host !== 'unix')
    return [...addresses, { host, port: X11_PORT + Number(number) }];
  const socket = `${X11_FOLDER}/X${number}`;
  // The second is an abstract socket of Linux, outside the file system.
  return [...addresses, { path: socket }, { path: `\0${socket}` }];
}

const X11_PORT = 6000;

/** Where this machine's X servers have their sockets. */
export const X11_FOLDER = '/tmp/.X11-unix';

/** File-system sockets of the screens, which a program with a window must be able to reach. */
export function screenSockets(env: Environment = process.env): string[] {
  return screenAddresses(env).flatMap((address) =>
    'path' in address && !address.path.startsWith('\0') ? [address.path] : [],
  );
}

/**
 * Copies the screen's key to where an unprivileged Chromium can read it.
 * @param folder read-only for Chromium
 * @returns words for `env` that name the copy; empty: not needed, or there is no key
 */
export async function screenKeyIn(
  folder: string,
  env: Environment = process.env,
): Promise<string[]> {
  const file = env.XAUTHORITY || path.join(env.HOME ?? '', '.Xauthority');
  if (userChoice().user === null || !existsSync(file)) return [];
  const copy = path.join(folder, 'screen-key');
  await copyFile(file, copy);
  await lend(copy);
  return [`XAUTHORITY=${copy}`];
}

/** Whether a connection to the address succeeds. */
export async function isAnswered(address: ScreenAddress): Promise<boolean> {
  const socket = connect(address);
  const answered = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).on('error', () => resolve(false));
  });
  try {
    return await withDeadline(answered, LIMITS.screenAnswerMs, () => false);
  } finally {
    socket.destroy();
  }
}
