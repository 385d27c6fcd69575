import type { Revision } from '../../ground/records/revision.ts';
import type { RunRecord } from '../../ground/records/run.ts';

/** Digits of a commit that people compare. */
const SHOWN_DIGITS = 12;

/** `0.2.0 (commit 1a2b3c4d5e6f, with local changes)` */
export function identityText(version: string, { commit, dirty }: Revision): string {
  const changes = dirty ? ', with local changes' : '';
  return `${version} (commit ${commit?.slice(0, SHOWN_DIGITS) ?? 'unknown'}${changes})`;
}

/** Versions of the programs of a run; that of this project with its commit. */
export function versionTexts({
  versions,
  revision = { commit: null, dirty: null },
}: Pick<RunRecord, 'versions' | 'revision'>): Record<string, string> {
  const { 'quic-vs-https': own, ...rest } = versions;
  if (own === undefined) return rest;
  return { 'quic-vs-https': identityText(own, revision), ...rest };
}
