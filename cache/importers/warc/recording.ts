import type { Recording } from '../../recording.ts';
import { navigatedUrl } from '../navigation.ts';
import type { WarcContent } from './exchanges.ts';

/**
 * The page that a WARC, or several, have.
 * @param what the archive, for the sentence that says where the page comes from
 * @param documentUrl the main document; null: the first page that nothing else in the archive asked for
 */
export function recordingOf(
  { exchanges, notes, software }: WarcContent,
  { what, documentUrl: named }: { what: string; documentUrl: string | null },
): Recording {
  const documentUrl = named ?? navigatedUrl(exchanges);
  const first = exchanges.find(({ status }) => status === 200);
  const recordedAt = first?.startedAt ?? null;
  const url = documentUrl ?? first?.url ?? '';
  const host = URL.parse(url)?.host ?? '';
  const by = software === null ? '' : ` made by ${software}`;
  const when = recordedAt === null ? '' : `, recorded ${recordedAt.slice(0, 10)}`;
  return {
    documentUrl,
    source: `imported from ${what}${by}: ${host}${when}`,
    recordedAt,
    exchanges,
    notes,
  };
}
