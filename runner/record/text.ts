import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import type { Capture } from './capture.ts';
import type { LoadComparison } from './comparison.ts';

/** More of a kind than these say nothing that the first ones do not. */
const MOST_LINES = 50;

/** What is printed of a site that has been written. */
export function siteLines(
  manifest: SiteManifest,
  { folder, replaces, notes }: { folder: string; replaces: boolean; notes: readonly string[] },
): string[] {
  const { site, url, source, resources } = manifest;
  const bytes = resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
  return [
    `${replaces ? 'Replaced' : 'Recorded'} site ${site}: ${url}`,
    `  ${source}`,
    `  ${countOf(resources.length, 'resource')}, ${countOf(hostsOf(manifest).length, 'host')}, ${countOf(bytes, 'byte')} of bodies as sent`,
    `  in ${folder}`,
    ...firstOf(notes.map((note) => `  note: ${note}`)),
  ];
}

/** What is printed of the load that checks a recording. */
export function comparisonLines(
  compared: LoadComparison,
  { failure }: Pick<Capture, 'failure'>,
  label: string,
): string[] {
  const { same, kept, notAskedFor, otherAnswers } = compared;
  const lines = [
    ...notAskedFor.map((request) => `  not asked for again: ${request}`),
    ...compared.new.map((request) => `  asked for only now, and not recorded: ${request}`),
    ...otherAnswers.map(
      ({ request, live, replayed }) =>
        `  another answer: ${request} (live ${live}; now ${replayed})`,
    ),
  ];
  return [
    `Replayed by ${label}: ${same.toLocaleString('en-US')} of ${countOf(kept, 'recorded request')} asked for again with the same answer${lines.length === 0 ? ', and no others' : ''}`,
    ...(failure ? [`  the replay failed: ${failure.message}`] : []),
    ...firstOf(lines),
  ];
}

/** `1 host`, `2,000 hosts`. */
export function countOf(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
}

function firstOf(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES;
  return more <= 0
    ? [...lines]
    : [...lines.slice(0, MOST_LINES), `  and ${more.toLocaleString('en-US')} more`];
}
