import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { boundedBody } from '../../ground/system/bounded-body.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend, openWritten } from '../../ground/system/unprivileged-user.ts';

/** A part of Chromium's file of preferences. */
type Preferences = Readonly<Record<string, unknown>>;

const PREFERENCES = {
  // NetworkPredictionOptions of Chromium's preferences: 2 is "never".
  net: { network_prediction_options: 2 },
  // CookieControlsMode: 0 is "off". Contexts would else keep cookies from other sites' frames, as private windows do.
  profile: { cookie_controls_mode: 0 },
};

// A challenge (401) by any scheme would open a dialog for a password and wait: without schemes it is a response like any other.
const LOCAL_STATE = { auth: { schemes: '' } };

/** The DevTools as those want them who look at protocols: at the Network panel, which shows them; each setting as JSON. */
export const DEVTOOLS_PREFERENCES: Preferences = {
  devtools: {
    preferences: {
      'panel-selected-tab': '"network"',
      currentDockState: '"bottom"',
      'network-log-columns': JSON.stringify({
        protocol: { visible: true },
        'connection-id': { visible: true },
        waterfall: { visible: true },
      }),
      'network-panel-split-view-waterfall': '{"vertical":{"size":400}}',
    },
  },
};

/**
 * Makes a fresh profile folder: nothing is cached in it, no session tickets, no cookies. Its preferences hold for all contexts
 * of the browser and keep it from preconnecting, which would hide the document's handshake, and from asking for passwords; no
 * command-line switch does that.
 * @param more further preferences
 */
export async function makeProfile(more: Preferences = {}): Promise<TemporaryFolder> {
  const { folder: around, remove } = await makeTemporaryFolder('profile');
  const folder = path.join(around, 'profile');
  const defaults = path.join(folder, 'Default');
  const preferences = path.join(defaults, 'Preferences');
  const localState = path.join(folder, 'Local State');
  await mkdir(defaults, { recursive: true });
  await writeFile(preferences, JSON.stringify({ ...PREFERENCES, ...more }));
  await writeFile(localState, JSON.stringify(LOCAL_STATE));
  await chmod(folder, 0o700);
  await chmod(around, 0o711);
  // The folder at last: from then on nothing may be written into it but by Chromium's user, who may have put a link there.
  await lend(preferences, defaults, localState, folder);
  return { folder, remove };
}

/** Makes a fresh profile, hands its folder on, and always removes it. */
export async function withProfile<T>(
  use: (folder: string) => Promise<T>,
  more: Preferences = {},
): Promise<T> {
  const profile = await makeProfile(more);
  try {
    return await use(profile.folder);
  } finally {
    await profile.remove();
  }
}

/** A folder that lasts as long as a profile, for files that Chromium reads and cannot change. */
export function folderAroundProfile(profileFolder: string): string {
  return path.dirname(profileFolder);
}

/** What to put before Chromium's command: files of its own that it would leave behind when it is killed go with its profile. */
export function temporaryFilesIn(profileFolder: string): string {
  return `TMPDIR=${profileFolder}`;
}

/** Where Chromium writes the secrets of its TLS and QUIC sessions. */
export function keyLogFileIn(profileFolder: string): string {
  return path.join(profileFolder, 'keys.log');
}

/** A line has 180 bytes, and a session five. */
const MAX_KEY_LOG_BYTES = 64_000_000;

/** The key log as far as Chromium has written it; null: it has not written any. */
export async function readKeyLog(keyLogFile: string): Promise<Buffer | null> {
  const handle = await openWritten(keyLogFile).catch(() => null);
  return handle && boundedBody(handle.createReadStream(), MAX_KEY_LOG_BYTES, 'the key log');
}

/** Where Chromium writes what its network stack does, if it is asked to. */
export function netLogFileIn(profileFolder: string): string {
  return path.join(profileFolder, 'net-log.json');
}
