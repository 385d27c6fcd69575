import { printableLines } from '../ground/system/printed.mjs';
import { countText, countWithNoun } from '../kit/text/number.ts';
import { hostsOf, type SiteManifest } from './manifest.ts';
import type { Presentation, Representation } from './presentation.ts';
import { nearlyEmpty } from './recorded-requests.ts';

const MAX_NOTES = 50;

/** Longest line in characters, twice as long as any message of this program. */
const LONGEST_LINE = 4000;

export function siteLines(
  manifest: SiteManifest,
  {
    done,
    folder,
    replaces,
    notes,
  }: { done: string; folder: string; replaces: boolean; notes: readonly string[] },
): string[] {
  const { site, url, source, resources, video } = manifest;
  const bytes = resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
  const warning = nearlyEmpty(manifest);
  return [
    `${replaces ? 'Replaced' : done} ${video ? 'video' : 'site'} ${site}: ${url}`,
    `  ${source}`,
    `  ${countWithNoun(resources.length, 'resource')}, ${countWithNoun(hostsOf(manifest).length, 'host')}, ${countWithNoun(bytes, 'byte')} of bodies as sent`,
    ...(video ? [`  ${videoLine(video)}`] : []),
    `  in ${folder}`,
    ...(warning === null ? [] : [`  warning: ${warning}`]),
    ...firstOf(
      notes.map((note) => `  note: ${note}`),
      MAX_NOTES,
    ),
  ].map(shorten);
}

function videoLine({ durationMs, representations }: Presentation): string {
  const ratesOf = (kind: Representation['kind']) =>
    representations
      .flatMap((representation) =>
        representation.kind === kind ? [Math.round(representation.kbps)] : [],
      )
      .join(', ');
  const sound = ratesOf('audio');
  return `${Math.round(durationMs / 100) / 10} s; picture of ${ratesOf('video')} kbit/s, ${sound === '' ? 'no sound' : `sound of ${sound} kbit/s`}`;
}

export function firstOf(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return more <= 0 ? [...lines] : [...lines.slice(0, most), `  and ${countText(more)} more`];
}

/** Limits archive text, and removes control sequences of terminals. */
export function shorten(message: string): string {
  const line = printableLines(message);
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}...`;
}
