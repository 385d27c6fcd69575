import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../../system/temporary-folder.ts';

/** A part of Chromium's file of preferences. */
type Preferences = Readonly<Record<string, unknown>>;

const PREFERENCES = {
  // NetworkPredictionOptions of Chromium's preferences: 2 is "never".
  net: { network_prediction_options: 2 },
  // CookieControlsMode: 0 is "off". Contexts would else keep cookies from other sites' frames, as private windows do.
  profile: { cookie_controls_mode: 0 },
};

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
 * of the browser and keep it from preconnecting, which would hide the document's handshake; no command-line switch does that.
 * @param more further preferences
 */
export async function makeProfile(more: Preferences = {}): Promise<TemporaryFolder> {
  const profile = await makeTemporaryFolder('profile');
  const defaults = path.join(profile.folder, 'Default');
  await mkdir(defaults);
  await writeFile(path.join(defaults, 'Preferences'), JSON.stringify({ ...PREFERENCES, ...more }));
  return profile;
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

/** What to put before Chromium's command: files of its own that it would leave behind when it is killed go with its profile. */
export function temporaryFilesIn(profileFolder: string): string {
  return `TMPDIR=${profileFolder}`;
}

/** Where Chromium writes the secrets of its TLS and QUIC sessions. */
export function keyLogFileIn(profileFolder: string): string {
  return path.join(profileFolder, 'keys.log');
}

/** Where Chromium writes what its network stack does, if it is asked to. */
export function netLogFileIn(profileFolder: string): string {
  return path.join(profileFolder, 'net-log.json');
}
