import { EXIT } from '../ground/system/exit-status.ts';
import { indented, jsonLine, printable } from '../ground/system/printed.mjs';
import { countText, countWithNoun } from '../kit/text/number.ts';
import { assertInCache, listSites, readSiteList, siteFolder } from './catalogue.ts';
import {
  DamagedSiteError,
  hostsOf,
  REMEDY,
  RESOURCE_TYPES,
  type RequestCounts,
  type ResourceType,
  readManifestAlone,
  type SiteManifest,
} from './manifest.ts';
import { nearlyEmpty } from './recorded-requests.ts';
import { problemsOfSite } from './verification.ts';

interface SitesChoices {
  /** Names, or @FILE for a list of names; null: the operands, or all. */
  sites: readonly string[] | null;
  json: boolean;
}

/** Where the command reads and writes; tests replace it. */
export interface SitesDependencies {
  sites: string;
  videos: string;
  /** Makes the next set-up check every site completely, beyond sizes and times. */
  toRepair: () => void;
  print: (line: string) => void;
  complain: (line: string) => void;
}

/**
 * Lists or verifies the sites in the cache. Returns the exit status: 0, or 2 for damaged sites.
 * @param operands `list` (default) or `verify`, and names of sites
 * @throws UsageError for unknown sites
 */
export async function sitesCommand(
  operands: readonly string[],
  choices: SitesChoices,
  { sites, videos, toRepair, print, complain }: SitesDependencies,
): Promise<number> {
  const [first, ...rest] = operands;
  const isNamed = first === 'list' || first === 'verify';
  const chosen = (choices.sites ?? []).flatMap((name) =>
    name.startsWith('@') ? readSiteList(name.slice(1)) : [name],
  );
  const given = [...(isNamed ? rest : operands), ...chosen];
  const ofVideos = listSites(videos);
  const isVideo = (name: string) => ofVideos.includes(name);
  assertInCache(
    given.filter((name) => !isVideo(name)),
    sites,
  );
  const folders =
    given.length > 0
      ? given.map((name) => siteFolder(name, isVideo(name) ? videos : sites))
      : [sites, videos].flatMap((place) => listSites(place).map((name) => siteFolder(name, place)));
  if (first !== 'verify') return list(folders, choices.json, { print, complain });
  const damaged = await verify(folders, { print, complain });
  if (damaged > 0) toRepair();
  return damaged === 0 ? EXIT.ok : EXIT.usage;
}

type Output = Pick<SitesDependencies, 'print' | 'complain'>;

function list(folders: string[], json: boolean, { print, complain }: Output): number {
  const rows: SiteSummary[] = [];
  const warnings: string[] = [];
  let damaged = 0;
  for (const folder of folders) {
    try {
      const manifest = readManifestAlone(folder);
      rows.push(siteSummary(manifest));
      const warning = nearlyEmpty(manifest);
      if (warning !== null) warnings.push(`${manifest.site}: ${warning}`);
    } catch (error) {
      if (!(error instanceof DamagedSiteError)) throw error;
      damaged += 1;
      complain(indented(error.message));
    }
  }
  if (json) for (const row of rows) print(jsonLine(row));
  else for (const line of tableOf(rows)) print(line);
  for (const warning of warnings) complain(indented(warning));
  return damaged === 0 ? EXIT.ok : EXIT.usage;
}

async function verify(folders: string[], { print, complain }: Output): Promise<number> {
  let damaged = 0;
  for (const folder of folders) {
    const problems = await problemsOfSite(folder);
    if (problems.length > 0) damaged += 1;
    for (const problem of problems) complain(indented(problem));
  }
  print(
    damaged === 0
      ? `${countWithNoun(folders.length, 'site')} checked, all as their manifests say.`
      : `${countWithNoun(folders.length, 'site')} checked, ${countText(damaged)} damaged. ${REMEDY}`,
  );
  return damaged;
}

function tableOf(rows: SiteSummary[]): string[] {
  const cells = [
    ['site', 'kind', 'hosts', 'resources', 'bytes', 'recorded'],
    ...rows.map((row) => [
      row.site,
      row.kind,
      countText(row.hosts),
      countText(row.resources),
      countText(row.wireBytes),
      row.recordedOn ?? '',
    ]),
  ];
  const widths = (cells[0] as string[]).map((_, column) =>
    Math.max(...cells.map((line) => (line[column] as string).length)),
  );
  const isNumber = (column: number) => column >= 2 && column <= 4;
  return cells.map((line, index) => {
    const row = rows[index - 1];
    const padded = line.map((cell, column) => {
      const width = widths[column] as number;
      return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    const types = row?.types.map(([type, resources]) => `${type} ${resources}`).join(', ');
    return [
      ...padded,
      row ? `${types}; ${printable(row.source.replaceAll('\n', ' '))}` : 'types; source',
    ].join('  ');
  });
}

/** A row of the list of sites. */
interface SiteSummary {
  site: string;
  kind: SiteManifest['kind'];
  hosts: number;
  resources: number;
  /** Size of all bodies, as sent. */
  wireBytes: number;
  /** Number of responses by type, in the order of the format; without unused types. */
  types: [type: ResourceType, resources: number][];
  /** Date of saving or recording (ISO 8601); null: unknown, or never published. */
  recordedOn: string | null;
  source: string;
  /** Recorded and answered requests; null: unknown, or not recorded. */
  requests: RequestCounts | null;
}

function siteSummary(manifest: SiteManifest): SiteSummary {
  const { resources } = manifest;
  const counted = RESOURCE_TYPES.map((type): [ResourceType, number] => [
    type,
    resources.filter((resource) => resource.type === type).length,
  ]);
  return {
    site: manifest.site,
    kind: manifest.kind,
    hosts: hostsOf(manifest).length,
    resources: resources.length,
    wireBytes: resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0),
    types: counted.filter(([, count]) => count > 0),
    recordedOn: manifest.recordedAt?.slice(0, 10) ?? null,
    source: manifest.source,
    requests: manifest.requests ?? null,
  };
}
