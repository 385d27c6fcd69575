import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'quic-vs-https-profile-';

/** NetworkPredictionOptions of Chromium's preferences: 2 is "never". */
const NEVER_PREDICT = 2;

/** Makes a fresh profile folder, hands it on, and removes it whatever happens. */
export async function withProfile<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeProfile();
  try {
    return await use(folder);
  } finally {
    await removeProfile(folder);
  }
}

/**
 * Nothing cached, no session tickets, no cookies. The profile's preferences keep Chromium from preconnecting,
 * which would hide the document's handshake; no command-line switch does that.
 */
async function makeProfile(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  await mkdir(path.join(folder, 'Default'));
  await writeFile(
    path.join(folder, 'Default', 'Preferences'),
    JSON.stringify({ net: { network_prediction_options: NEVER_PREDICT } }),
  );
  return folder;
}

/** Removes a profile; Chromium's last writes may still come in, so it tries more than once. */
async function removeProfile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the profiles that killed runs left behind. */
export async function removeLeftProfiles(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) await removeProfile(path.join(os.tmpdir(), name));
  }
}
