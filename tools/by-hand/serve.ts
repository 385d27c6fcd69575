import path from 'node:path';
import { chromiumCommand } from '../../clients/chromium/chromium.ts';
import { DEVTOOLS_PREFERENCES, withProfile } from '../../clients/chromium/profile.ts';
import type { RawOptions } from '../../ground/options/row.ts';
import type { HttpVersion } from '../../ground/records/connection-transport.ts';
import { DEFAULT_KEY_EXCHANGE, keyExchangeOf } from '../../ground/records/key-exchange.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { runProgram } from '../../ground/system/program-output.ts';
import { shellLine } from '../../ground/system/shell-word.ts';
import { browserOf } from './browser.ts';
import { readSiteRequest } from './manual-request.ts';
import type { ManualOutput } from './measure-path.ts';
import { proofLines } from './proof.ts';
import { type SiteByHand, withSiteByHand } from './site.ts';
import { untilStopped } from './until-stopped.ts';
import { versionsOf } from './versions.ts';

/**
 * Serves a site over a measured path and prints how to connect, until aborted.
 * @param given options of SITE_BY_HAND_OPTIONS
 * @throws UsageError, MachineError, ServerError and NetworkError as a run does; the signal's reason if aborted before the
 *   site is served
 */
export async function serveCommand(
  site: string,
  given: RawOptions,
  { print, ...byHand }: ManualOutput & { print: (line: string) => void },
): Promise<void> {
  const request = readSiteRequest(site, given);
  const { condition } = request;
  await withSiteByHand(request, byHand, (served) =>
    withProfile(async (profileFolder) => {
      const chromium = shellLine(await chromiumCommand(await browserOf(served, profileFolder)));
      const lines = [
        ...servedLines(served),
        ...withTitle('Chromium, with its own profile:', [chromium]),
        ...(await curlPart(reachableSite(served))),
        ...withTitle('npm run get, which does not need curl:', getLines(reachableSite(served))),
        ...proofLines(served.calibration, condition),
      ];
      for (const line of lines) print(line);
      byHand.say(`\nServing ${site} until Ctrl-C.`);
      await untilStopped(served, byHand.signal);
    }, DEVTOOLS_PREFERENCES),
  );
}

function reachableSite({ site, manifest, server, path, authorityFile }: SiteByHand): ReachableSite {
  const page = manifest.resources.find(({ url }) => url === manifest.url);
  if (!page) throw new Error(`${site.planned.subject} has no main document`);
  return { server, authorityFile, page, enter: path.agent.enter('client') };
}

function servedLines({ manifest, server, path, authorityFile }: SiteByHand): string[] {
  const { stack, origins, spkiPins } = server;
  const hosts = Object.entries(origins);
  const widest = Math.max(...hosts.map(([host]) => host.length));
  return [
    ...withTitle(`${manifest.url}, served by ${stack.label}, at these addresses:`, [
      ...hosts.map(([host, origin]) => `${host.padEnd(widest)}  ${origin}`),
    ]),
    ...withTitle(
      'They are reachable only in the client’s namespace. This prefix runs a command there:',
      [shellLine(path.agent.enter('client'))],
    ),
    ...withTitle('Public keys of the certificates (SPKI, SHA-256, base64):', [
      ...new Set(spkiPins),
    ]),
    ...(authorityFile === null ? [] : withTitle('Their authority:', [authorityFile])),
  ];
}

async function curlPart(reached: ReachableSite): Promise<string[]> {
  return withTitle(`curl${await whatCurlLacks(reached)}:`, curlLines(reached));
}

async function whatCurlLacks({ server: { stack } }: ReachableSite): Promise<string> {
  const version = await runProgram('curl', ['--version']);
  if (!version.ok) return ' (not installed)';
  const needed = /3/.test(stack.protocol) && !/^Features:.*\bHTTP3\b/m.test(version.output);
  return needed ? ', which needs HTTP/3 (the curl of this machine lacks it)' : '';
}

function withTitle(title: string, lines: readonly string[]): string[] {
  return [title, ...lines.map((line) => `  ${line}`), ''];
}

const CURL_OPTIONS: Readonly<Record<HttpVersion, string>> = {
  h3: '--http3-only',
  h2: '--http2',
  'h1.1': '--http1.1',
};

/** Parts of a served site that commands need to request its page. */
export type ReachableSite = Pick<SiteByHand, 'server' | 'authorityFile'> & {
  /** Command prefix that enters the client's namespace. */
  enter: readonly string[];
  page: Pick<SiteByHand['manifest']['resources'][number], 'url' | 'contentEncoding'>;
};

/** curl commands for the site's page, one per HTTP version of the server. */
export function curlLines({ server, authorityFile, enter, page }: ReachableSite): string[] {
  const { url, contentEncoding } = page;
  const { hostname, port, host } = new URL(url);
  const origin = server.origins[host] ?? '';
  // A certificate from outside this project can only be pinned.
  const trust =
    authorityFile === null
      ? ['--insecure', '--pinnedpubkey', server.spkiPins.map((pin) => `sha256//${pin}`).join(';')]
      : ['--cacert', authorityFile];
  return versionsOf(server.stack.protocol).map((version) =>
    shellLine([
      ...enter,
      'curl',
      CURL_OPTIONS[version],
      ...(contentEncoding === null ? [] : ['--compressed']),
      ...trust,
      '--connect-to',
      `${hostname}:${port || '443'}:${origin}`,
      url,
    ]),
  );
}

/** Commands like `npm run get` for the site's page, without set-up, which has no network there. */
export function getLines({ server, authorityFile, enter, page: { url } }: ReachableSite): string[] {
  const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
  const keyExchange = keyExchangeOf(server);
  return versionsOf(server.stack.protocol).map((version) =>
    shellLine([
      ...enter,
      process.execPath,
      program,
      'get',
      url,
      '--via',
      version,
      ...(keyExchange === DEFAULT_KEY_EXCHANGE ? [] : ['--key-exchange', keyExchange]),
      '--resolve',
      server.origins[new URL(url).host] ?? '',
      '--trust',
      authorityFile ?? 'none',
    ]),
  );
}
