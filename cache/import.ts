import { parseArgs } from 'node:util';
import { siteFolder } from './catalogue.ts';
import { ImportError } from './import-error.ts';
import { readSavedPage } from './importers/saved-page.ts';
import { chooseSiteName } from './importers/site-name.ts';
import { hostsOf, writeSite } from './manifest.ts';

const USAGE = `Usage: npm run import -- DIR [--name NAME] [--document FILE]
  DIR              a folder saved with wget --page-requisites --save-headers: a host's own folder, or the one that holds the hosts' folders
  --name NAME      name of the site in the cache; default: the host, with -imported behind it where the cache has another page of that name
  --document FILE  the page's file below DIR; default: the index.html of the host`;

/** Where the command reads and writes; tests have their own. */
export interface ImportSurroundings {
  folderOf: (site: string) => string;
  print: (line: string) => void;
  complain: (line: string) => void;
}

/** Imports one saved page into the site cache. Answers the exit status: 0, or 2 for wrong usage or a folder that is no page. */
export async function importCommand(
  args: string[],
  { folderOf, print, complain }: ImportSurroundings,
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) {
      print(USAGE);
      return 0;
    }
    const page = await readSavedPage(options.folder, options.document);
    const host = new URL(page.manifest.url).host;
    const { site, replaces } = await chooseSiteName(host, options.name, folderOf);
    const manifest = { ...page.manifest, site };
    await writeSite(folderOf(site), manifest, page.bodies);
    print(`${replaces ? 'Replaced' : 'Imported'} site ${site}: ${manifest.url}`);
    print(`  ${manifest.source}`);
    print(`  ${summary(manifest.resources, hostsOf(manifest).length)}`);
    print(`  in ${folderOf(site)}`);
    for (const note of page.notes) print(`  note: ${note}`);
    print(`Benchmark it: npm run benchmark -- --sites ${site}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    complain(error.message);
    return 2;
  }
}

type Options = { help: true } | ImportOptions;
interface ImportOptions {
  help: false;
  folder: string;
  name: string | null;
  document: string | null;
}

function readOptions(args: string[]): Options {
  const { values, positionals } = parse(args);
  if (values.help) return { help: true };
  const [folder, ...more] = positionals;
  if (folder === undefined) throw new ImportError(`DIR is missing.\n${USAGE}`);
  if (more.length > 0) {
    throw new ImportError(`one DIR at a time; there is also ${more.join(', ')}.\n${USAGE}`);
  }
  return { help: false, folder, name: values.name ?? null, document: values.document ?? null };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        document: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ImportError(`${(error as Error).message}\n${USAGE}`);
  }
}

function summary(resources: { wireBytes: number }[], hosts: number): string {
  const bytes = resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
  const count = (n: number, noun: string) =>
    `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
  return `${count(resources.length, 'resource')}, ${count(hosts, 'host')}, ${count(bytes, 'byte')} of bodies`;
}

if (import.meta.main) {
  process.exitCode = await importCommand(process.argv.slice(2), {
    folderOf: siteFolder,
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  });
}
