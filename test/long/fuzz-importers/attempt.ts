import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { importCommand, readArchive } from '../../../cache/import.ts';
import { ImportError } from '../../../cache/import-error.ts';
import { IMPORT_LIMITS, type ImportLimits } from '../../../cache/limits.ts';
import { readManifest } from '../../../cache/manifest.ts';
import { ExitError } from '../../../ground/system/exit-status.ts';
import { printableLines } from '../../../ground/system/printed.mjs';
import { CANARY } from './exchange.ts';
import { CANARY_FILE, type FuzzInput } from './input.ts';
import { READERS } from './readers.ts';

/** Maximum processor time of one small archive. Wall time is meaningless on a shared machine. */
const MAX_CPU_MS = 1000;

/** Limits that small archives reach, so that the code behind them is tried as well. */
const TIGHT_LIMITS: Readonly<ImportLimits> = {
  ...IMPORT_LIMITS,
  entries: 3,
  fileBytes: 20_000,
  totalBytes: 10_000,
  bodyBytes: 2_000,
  headerBytes: 500,
  headers: 6,
  urlLength: 100,
  cookieBytes: 1_000,
};

/** Result of one archive. */
export interface Outcome {
  /** `imported` and `refused` are both fine. */
  result: 'imported' | 'refused' | 'finding';
  /** The problem; null: no problem. */
  problem: string | null;
}

/**
 * Lists and imports one archive, or reads one file, as the command does, into a separate cache, and
 * checks everything that may go wrong.
 * @param folder is emptied first
 * @param again whether it is tried for the second time, because it took long
 */
export async function attempt(
  format: string,
  input: FuzzInput,
  folder: string,
  again = false,
): Promise<Outcome> {
  lay(input, folder);
  const archive = path.join(folder, 'input', input.archive);
  const sites = path.join(folder, 'sites');
  const messages: string[] = [];
  const say = (line: string) => void messages.push(line);
  const began = process.threadCpuUsage();
  const reader = READERS[format];
  const steps =
    reader === undefined
      ? importing(archive, sites, say)
      : [() => reader.read(archive, sites, say)];
  // Importers show only ASCII; the command neutralizes everything else that steers a terminal.
  const textOf = reader === undefined ? (message: string) => message : printableLines;
  const ForUsers = reader === undefined ? ImportError : ExitError;
  let isTaken = false;
  for (const step of steps) {
    try {
      await step();
      isTaken = true;
    } catch (error) {
      if (!(error instanceof ForUsers)) {
        return finding(`not an ${ForUsers.name}: ${(error as Error).stack ?? error}`);
      }
      say(error.message);
      isTaken = false;
    }
  }
  const { user, system } = process.threadCpuUsage(began);
  const cpuMs = (user + system) / 1000;
  if (cpuMs > MAX_CPU_MS) {
    // Once can be the garbage of all the archives before.
    if (again) return finding(`it took ${Math.round(cpuMs)} ms of the processor, twice`);
    return attempt(format, input, folder, true);
  }
  const problem =
    problemOfFolder(folder) ??
    (reader === undefined || !isTaken ? problemOfMessages(messages.map(textOf)) : null) ??
    (reader === undefined ? await problemOfImport(archive, sites, isTaken) : null);
  if (problem !== null) return finding(problem);
  return { result: isTaken ? 'imported' : 'refused', problem: null };
}

/** Lists the pages of an archive, then imports it. */
function importing(archive: string, sites: string, print: (line: string) => void) {
  const folderOf = (site: string) => path.join(sites, site);
  return [true, false].map((list) => () => {
    const choices = { name: null, document: null, list, without: null };
    return importCommand(archive, choices, { folderOf, videoFolderOf: folderOf, print });
  });
}

async function problemOfImport(archive: string, sites: string, isImported: boolean) {
  const problem = isImported ? await problemOfSite(sites) : problemOfRefusal(sites);
  return problem ?? problemOfTightLimits(archive);
}

function finding(problem: string): Outcome {
  return { result: 'finding', problem };
}

function lay({ files }: FuzzInput, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'sites'), { recursive: true });
  mkdirSync(path.join(folder, 'input'));
  writeFileSync(path.join(folder, 'input', CANARY_FILE), CANARY);
  for (const [name, content] of files) {
    const file = path.join(folder, 'input', name);
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      if (Buffer.isBuffer(content)) writeFileSync(file, content);
      else symlinkSync(content.link, file);
    } catch {
      // A file stands where a folder should, or vice versa: there is one less in the archive.
    }
  }
}

/** Only the input and the cache may be there, and the input must be unchanged. */
function problemOfFolder(folder: string): string | null {
  const names = readdirSync(folder).sort().join(', ');
  if (names !== 'input, sites') return `there is more than input and cache: ${names}`;
  const canary = readFileSync(path.join(folder, 'input', CANARY_FILE), 'utf8');
  return canary === CANARY ? null : 'a file outside of the archive was changed';
}

function problemOfMessages(messages: string[]): string | null {
  if (messages.length === 0) return 'it said nothing';
  const all = messages.join('\n');
  const control = /[^\n\P{Cc}]/u.exec(all);
  if (control) {
    return `a message has a control character: ${JSON.stringify(all.slice(Math.max(0, control.index - 80), control.index + 20))}`;
  }
  const long = messages.find((message) => message.length > 5_000);
  return long === undefined
    ? null
    : `a message has ${long.length} characters: ${long.slice(0, 200)}`;
}

function problemOfRefusal(sites: string): string | null {
  const names = readdirSync(sites);
  return names.length === 0 ? null : `refused, but the cache has ${names.join(', ')}`;
}

async function problemOfSite(sites: string): Promise<string | null> {
  const [site, ...more] = readdirSync(sites);
  if (site === undefined || more.length > 0) return `the cache has ${1 + more.length} folders`;
  const folder = path.join(sites, site);
  let bodies: Set<string | null>;
  try {
    const manifest = await readManifest(folder);
    bodies = new Set(manifest.resources.map(({ body }) => body));
  } catch (error) {
    return `the site cannot be read: ${(error as Error).message}`;
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name === 'index.json' || name === 'bodies') continue;
    if (!bodies.has(name)) return `the site has a file ${name} that is no body of it`;
    const file = path.join(folder, name);
    if (!lstatSync(file).isFile()) return `${name} is not a regular file`;
    if (readFileSync(file).includes(CANARY)) return `${name} came from outside of the archive`;
  }
  return null;
}

async function problemOfTightLimits(archive: string): Promise<string | null> {
  try {
    await readArchive(archive, null, TIGHT_LIMITS);
  } catch (error) {
    if (!(error instanceof ImportError)) {
      return `with tight limits not an ImportError: ${(error as Error).stack ?? error}`;
    }
  }
  return null;
}
