import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { ensureCertificates } from '../../certs/certificates.ts';
import { chromiumFlags } from '../../clients/chromium/flags.ts';
import type { Stack } from '../../ground/stack.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import type { Machine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { type Capture, type CaptureOptions, capture } from './capture.ts';

interface ReplayOptions extends Omit<CaptureOptions, 'chromium' | 'flags' | 'url'> {
  machine: Machine;
  stack: Stack;
  manifest: SiteManifest;
  siteFolder: string;
}

/**
 * Serves a site on the loopback interface, loads it once as it was recorded, and keeps every response.
 * @throws ServerError, MachineError as `withServers` does
 */
export async function replay(options: ReplayOptions): Promise<Capture> {
  const { machine, stack, manifest, siteFolder, signal } = options;
  const hosts = hostsOf(manifest);
  const certsFolder = await ensureCertificates(hosts, { chain: 'small', origins: 'own' });
  return withTemporaryFolder('logs', (logsFolder) =>
    withServers(
      {
        siteFolder,
        logsFolder,
        certsFolder,
        signal,
        stacks: [stack],
        site: manifest.site,
        addresses: Object.fromEntries(hosts.map((host, index) => [host, loopbackAddress(index)])),
        enter: [],
      },
      async ([server]) => {
        if (server === undefined) throw new Error('no server of the one stack');
        const { origins, spkiPins } = server;
        const replayed = await capture({
          ...options,
          chromium: machine.chromium,
          url: manifest.url,
          flags: (profileFolder, netLogFile) =>
            chromiumFlags({
              origins,
              spkiPins,
              profileFolder,
              netLogFile,
              protocol: stack.protocol,
            }),
        });
        server.assertAlive();
        return replayed;
      },
    ),
  );
}

/** One address per host, as in measured loads; all of 127.0.0.0/8 belongs to this machine. */
function loopbackAddress(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}
