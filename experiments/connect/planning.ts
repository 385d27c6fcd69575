import { X509Certificate } from 'node:crypto';
import path from 'node:path';
import { clientFor } from '../../clients/index.ts';
import type { Experiment } from '../../ground/experiment.ts';
import type { RunValues } from '../../ground/options/benchmark.ts';
import { type Host, readHosts } from '../../ground/options/hosts.ts';
import { type LivePage, readPages, withoutPassword } from '../../ground/options/pages.ts';
import type { RunChoices } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { viaOf } from '../arms.ts';
import { readTextOf } from '../../runner/invocation-options.ts';

/**
 * What is asked over the machine's own network, hosts or pages; null: local servers.
 * @throws UsageError for hosts or pages without --live, and the other way round
 */
export function liveOf(
  { live }: Pick<RunValues, 'live'>,
  operands: readonly string[],
  { options }: Pick<Experiment, 'options'>,
): { hosts: Host[] | null; pages: LivePage[] | null } | null {
  const ofPages = options === 'pages';
  const what = ofPages ? 'pages' : 'hosts';
  if (live && operands.length === 0) {
    throw new UsageError(
      `--live: which ${what}? Name them: ${ofPages ? 'https://www.example.org' : 'HOST, HOST:PORT or @FILE'}.`,
    );
  }
  if (live) {
    return ofPages
      ? { hosts: null, pages: readPages(operands) }
      : { hosts: readHosts(operands), pages: null };
  }
  if (operands.length === 0) return null;
  throw new UsageError(
    `${operands.map(withoutPassword).join(' ')}: ${what} are asked over the network of this machine, which has to be said: add --live. ${ofPages ? 'Sites of the cache are named by --sites' : 'Without hosts, local servers are asked'}.`,
  );
}

/** @throws UsageError where the bench's own path cannot do it, or options do not go together */
export function connectionChoicesOf(
  values: RunValues,
  arms: readonly Pick<Stack, 'asked' | 'protocol'>[],
  client: string,
): NonNullable<RunChoices['connections']> {
  const { live, ipv, requests, path: asked, every, repetitions } = values;
  if (!live && ipv.includes('6')) {
    throw new UsageError("--ipv 6: the bench's own path has IPv4 alone. Ask hosts with --live.");
  }
  if (every !== null && repetitions === 'auto') {
    throw new UsageError('--every: say how many rounds there are to be: --repetitions N.');
  }
  if (asked !== null && requests === 0) {
    throw new UsageError('--path: nothing is asked for. Add --requests 1.');
  }
  if (asked !== null && !asked.startsWith('/')) {
    throw new UsageError(`--path ${asked}: expected a path that begins with /.`);
  }
  const { label, connect } = clientFor('connect', client);
  const { resumptions } = connect;
  const unable = arms.map(viaOf).find((each) => resumptions[each] === undefined);
  if (unable !== undefined) {
    throw new UsageError(
      `--client ${client}: ${label} cannot connect by ${unable}. Add --via ${shellWord(Object.keys(resumptions).join())}.`,
    );
  }
  return {
    live,
    client,
    requests,
    requestPath: asked,
    localPort: values['local-port'],
    trust: live ? trustOf(values) : null,
    everyMs: every,
  };
}

/**
 * Whose certificates are accepted of live hosts.
 * @throws UsageError for a file that cannot be read, or has no certificate in it
 */
export function trustOf({ trust }: Pick<RunValues, 'trust'>): string | null {
  if (trust === 'none') return null;
  if (trust === null) return 'system';
  const text = readTextOf('trust', trust);
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  const isRead = certificates.every((each) => isCertificate(each));
  if (certificates.length === 0 || !isRead) {
    throw new UsageError(
      `--trust ${trust}: expected certificates in PEM, got ${isRead ? 'none of them' : 'one that cannot be read'}. They begin with -----BEGIN CERTIFICATE-----.`,
    );
  }
  return path.resolve(trust);
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
