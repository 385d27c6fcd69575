import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { listSites, siteFolder, sitesFolder } from './catalogue.ts';
import { printable } from './importers/shown.ts';
import { DamagedSiteError, readManifestAlone } from './manifest.ts';
import { readSiteList, SiteListError } from './site-list.ts';
import { type SiteSummary, siteSummary } from './site-summary.ts';
import { problemsOfSite } from './verification.ts';

const USAGE = `Usage: npm run sites -- [list|verify] [SITE ...] [--sites @FILE] [--json]
  list         (default) what is in the cache: kind, hosts, resources, bytes of bodies as sent, types, date, source
  verify       reads every body file and holds it against its SHA-256
  SITE ...     these sites only; --sites @FILE: those that a file names, one per line; default: all
  --json       list as one line of JSON for each site`;

/** Where the command reads and writes; tests have their own. */
export interface SitesSurroundings {
  /** The folder with one folder per site. */
  sites: string;
  /** Lets the next set-up look at every site, also for damage that sizes and times do not show. */
  toRepair: () => void;
  print: (line: string) => void;
  complain: (line: string) => void;
}

/** Lists or verifies the sites in the cache. Answers the exit status: 0, or 2 for wrong usage or damaged sites. */
export async function sitesCommand(
  args: string[],
  { sites, toRepair, print, complain }: SitesSurroundings,
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === 'help') {
      print(USAGE);
      return 0;
    }
    const all = listSites(sites);
    const names = options.names.length > 0 ? options.names : all;
    const missing = names.filter((name) => !all.includes(name));
    if (missing.length > 0) {
      throw new SiteListError(
        `not in the cache: ${missing.join(', ')}. \`npm run sites\` lists what is there.`,
      );
    }
    if (options.action === 'list') return list(names, sites, options.json, { print, complain });
    const damaged = await verify(names, sites, { print, complain });
    if (damaged > 0) toRepair();
    return damaged === 0 ? 0 : 2;
  } catch (error) {
    if (!(error instanceof SiteListError)) throw error;
    complain(error.message);
    return 2;
  }
}

type Output = Pick<SitesSurroundings, 'print' | 'complain'>;

function list(names: string[], sites: string, json: boolean, { print, complain }: Output): number {
  const rows: SiteSummary[] = [];
  let damaged = 0;
  for (const name of names) {
    try {
      rows.push(siteSummary(readManifestAlone(siteFolder(name, sites))));
    } catch (error) {
      if (!(error instanceof DamagedSiteError)) throw error;
      damaged += 1;
      complain(error.message);
    }
  }
  if (json) for (const row of rows) print(JSON.stringify(row));
  else for (const line of tableOf(rows)) print(line);
  return damaged === 0 ? 0 : 2;
}

/** How many of the sites are damaged. */
async function verify(
  names: string[],
  sites: string,
  { print, complain }: Output,
): Promise<number> {
  let damaged = 0;
  for (const name of names) {
    const problems = await problemsOfSite(siteFolder(name, sites));
    if (problems.length > 0) damaged += 1;
    for (const problem of problems) complain(problem);
  }
  print(
    damaged === 0
      ? `All ${names.length} sites are as their manifests say.`
      : `${damaged} of ${names.length} sites are damaged. \`npm run setup\` repairs those that it makes; import or record your own again.`,
  );
  return damaged;
}

function tableOf(rows: SiteSummary[]): string[] {
  const cells = [
    ['site', 'kind', 'hosts', 'resources', 'bytes', 'recorded'],
    ...rows.map((row) => [
      row.site,
      row.kind,
      count(row.hosts),
      count(row.resources),
      count(row.wireBytes),
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

function count(n: number): string {
  return n.toLocaleString('en-US');
}

function readOptions(
  args: string[],
): 'help' | { action: 'list' | 'verify'; names: string[]; json: boolean } {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [first, ...rest] = positionals;
  const action = first === 'list' || first === 'verify' ? first : null;
  const named = action === null ? positionals : rest;
  return {
    action: action ?? 'list',
    names: [...named, ...(values.sites ? namesOf(values.sites) : [])],
    json: values.json ?? false,
  };
}

function namesOf(sites: string): string[] {
  return sites.startsWith('@') ? readSiteList(sites.slice(1)) : sites.split(',');
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        sites: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new SiteListError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** What set-up remembers of the sites it made. */
const setUpStamp = path.join(import.meta.dirname, '..', '.setup', 'sites');

if (import.meta.main) {
  process.exitCode = await sitesCommand(process.argv.slice(2), {
    sites: sitesFolder,
    toRepair: () => rmSync(setUpStamp, { force: true }),
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  });
}
