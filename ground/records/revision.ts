import * as s from './schema.ts';

/** Hash of a git commit, SHA-1 or SHA-256. */
export const COMMIT_PATTERN = '^([0-9a-f]{40}|[0-9a-f]{64})$';

export const revisionSchema = s.object(
  {
    commit: s.orNull(
      s.matching(
        COMMIT_PATTERN,
        'Hash of the git commit; null: neither git nor the package has it.',
      ),
    ),
    dirty: s.orNull(s.flag('Whether files of the commit were changed; null: unknown.')),
  },
  'The code of quic-vs-https itself, whose version is in `versions`. Absent: unknown, or read from a file.',
);

export type Revision = s.Static<typeof revisionSchema>;
