import { chromiumFlags, type FlagsInput } from './flags.ts';

/** What keeps a measured load on this machine and to one protocol: a live page is loaded as it is out there. */
const FENCES = [
  '--host-resolver-rules=',
  '--no-proxy-server',
  '--ignore-certificate-errors-spki-list=',
  '--disable-quic',
];

/** Chromium's command line as for measured loads, but free to go anywhere by any protocol, as it would by itself. */
export function liveFlags(
  input: Pick<FlagsInput, 'profileFolder' | 'netLogFile' | 'asRoot'>,
): string[] {
  return chromiumFlags({ ...input, protocol: 'h2', origins: {}, spkiPins: [] }).filter(
    (flag) => !FENCES.some((fence) => flag.startsWith(fence)),
  );
}
