import type { BrowserOptions } from '../../clients/chromium/chromium.ts';
import { namesOf, usesNameServer } from '../../clients/name-server.ts';
import { keyLogFileIn } from '../../clients/profile-files.ts';
import type { SiteByHand } from './site.ts';

/**
 * Options of a visible Chromium that loads a served site: the flags of measured loads, a window, and the page. Also serves the names
 * that it will resolve.
 */
export async function browserOf(
  { machine, manifest, server, path }: SiteByHand,
  profileFolder: string,
): Promise<Omit<BrowserOptions, 'signal'>> {
  const { stack, origins, spkiPins } = server;
  const { protocol } = stack;
  if (usesNameServer({ protocol, origins })) await path.names.serve(namesOf(origins));
  return {
    chromium: machine.chromium,
    enter: path.agent.enter('client'),
    protocol,
    origins,
    spkiPins,
    profileFolder,
    keyLogFile: keyLogFileIn(profileFolder),
    netLogFile: null,
    hasWindow: true,
    url: manifest.url,
  };
}
