import path from 'node:path';
import { clientNamed } from '../clients/index.ts';
import type { RunValues } from '../options/benchmark.ts';
import { type Host, readHosts } from '../options/hosts.ts';
import type { RunChoices } from '../records/run.ts';
import type { Stack } from '../servers/stack.ts';
import { UsageError } from '../system/errors.ts';
import { viaOf } from './arms.ts';
import { readTextOf } from './invocation-options.ts';

/**
 * The hosts to ask over the machine's own network; null: local servers.
 * @throws UsageError for hosts without --live, and the other way round
 */
export function hostsOf(
  { live }: Pick<RunValues, 'live'>,
  operands: readonly string[],
): Host[] | null {
  if (live && operands.length === 0) {
    throw new UsageError('--live: which hosts? Name them: HOST, HOST:PORT or @FILE.');
  }
  if (live) return readHosts(operands);
  if (operands.length === 0) return null;
  throw new UsageError(
    `${operands.join(' ')}: hosts are asked over the network of this machine, which has to be said: add --live. Without hosts, local servers are asked.`,
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
  const { label, resumptions } = clientNamed(client);
  const unable = arms.map(viaOf).find((each) => resumptions[each] === undefined);
  if (unable !== undefined) {
    throw new UsageError(
      `--client ${client}: ${label} cannot connect by ${unable}. Add --via ${Object.keys(resumptions).join()}.`,
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
 * @throws UsageError for a file that cannot be read
 */
export function trustOf({ trust }: Pick<RunValues, 'trust'>): string | null {
  if (trust === 'none') return null;
  if (trust === null) return 'system';
  readTextOf('trust', trust);
  return path.resolve(trust);
}
