import { printableLines } from '../ground/system/printed.mjs';
import { counted, countText } from '../kit/text/number.ts';
import { hostsOf, type SiteManifest } from './manifest.ts';
import type { Presentation, Rung } from './presentation.ts';
import { nearlyEmpty } from './recorded-requests.ts';

/** More notes than this say nothing that the first ones do not. */
const MOST_NOTES = 50;

/** Characters; the longest message of this program itself has half as many. */
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
    `  ${counted(resources.length, 'resource')}, ${counted(hostsOf(manifest).length, 'host')}, ${counted(bytes, 'byte')} of bodies as sent`,
    ...(video ? [`  ${videoLine(video)}`] : []),
    `  in ${folder}`,
    ...(warning === null ? [] : [`  warning: ${warning}`]),
    ...firstOf(
      notes.map((note) => `  note: ${note}`),
      MOST_NOTES,
    ),
  ].map(shortened);
}

function videoLine({ durationMs, rungs }: Presentation): string {
  const ratesOf = (kind: Rung['kind']) =>
    rungs.flatMap((rung) => (rung.kind === kind ? [Math.round(rung.kbps)] : [])).join(', ');
  const sound = ratesOf('audio');
  return `${Math.round(durationMs / 100) / 10} s; picture of ${ratesOf('video')} kbit/s, ${sound === '' ? 'no sound' : `sound of ${sound} kbit/s`}`;
}

export function firstOf(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return more <= 0 ? [...lines] : [...lines.slice(0, most), `  and ${countText(more)} more`];
}

/** Texts out of an archive can hold what a terminal takes for commands, and no end of them. */
export function shortened(message: string): string {
  const line = printableLines(message);
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}...`;
}
