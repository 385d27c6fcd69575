import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';

/** Part of Chromium's preferences file. */
type Preferences = Readonly<Record<string, unknown>>;

const PREFERENCES = {
  // NetworkPredictionOptions of Chromium's preferences: 2 is "never".
  net: { network_prediction_options: 2 },
  // CookieControlsMode: 0 is "off". Otherwise browser contexts block third-party cookies, as private windows do.
  profile: { cookie_controls_mode: 0 },
};

// Disables HTTP authentication: a challenge (401) would open a password dialog and wait.
const LOCAL_STATE = { auth: { schemes: '' } };

/** DevTools settings as JSON: opens the Network panel, with protocols shown. */
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
 * Makes a fresh profile folder without cache, session tickets or cookies. Its preferences hold for all browser contexts. They disable
 * preconnecting, which would hide the document's handshake, and password dialogs; no command-line switch does.
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
  // The folder last: afterwards Chromium's user may have put a link there, so nothing else may write to it.
  await lend(preferences, defaults, localState, folder);
  return { folder, remove };
}

/** Makes a fresh profile, passes its folder on, and always removes it. */
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

/** Where Chromium writes its NetLog, if enabled. */
export function netLogFileIn(profileFolder: string): string {
  return path.join(profileFolder, 'net-log.json');
}
