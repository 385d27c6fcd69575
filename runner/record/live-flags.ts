import { chromiumFlags } from '../../clients/chromium/flags.ts';

/** What a browser that records is started with. */
export interface LiveFlagsInput {
  profileFolder: string;
  netLogFile: string;
  asRoot: boolean;
}

/** What keeps a measured load on this machine and to one protocol: a recording is of the page as it is out there. */
const FENCES = [
  '--host-resolver-rules=',
  '--no-proxy-server',
  '--ignore-certificate-errors-spki-list=',
  '--disable-quic',
];

/** Chromium's command line as for measured loads, but free to go anywhere by any protocol, as it would by itself. */
export function liveFlags(input: LiveFlagsInput): string[] {
  return chromiumFlags({ ...input, protocol: 'h2', origins: {}, spkiPins: [] }).filter(
    (flag) => !FENCES.some((fence) => flag.startsWith(fence)),
  );
}
