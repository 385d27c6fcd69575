import path from 'node:path';
import { exportCommand } from '../../../cache/export.ts';
import { importCommand } from '../../../cache/import.ts';
import { IMPORT_FORMATS } from '../../../cache/importers/index.ts';
import { type SitesDependencies, sitesCommand } from '../../../cache/sites.ts';
import { valuesOf } from '../../../ground/options/values.ts';
import { EXIT, ExitError } from '../../../ground/system/exit-status.ts';
import { type CommandLine, readCommandLine } from '../../../runner/command-line/command-line.ts';
import { loadTools } from '../../../tools/index.ts';
import { EXPORT_OPTIONS } from '../../../tools/sites/export-tool.ts';
import { IMPORT_OPTIONS } from '../../../tools/sites/import-tool.ts';
import { SITES_OPTIONS } from '../../../tools/sites/sites-tool.ts';
import { MADE_UP_FORMAT } from './made-up-format.ts';

/** Output, errors and exit status of a cache command. */
export interface CommandOutput {
  status: number;
  lines: string[];
  out: string;
  errors: string;
}

/** Folder of videos: next to the site, so that no site has that name. */
export function videosFolderNextTo(site: string): string {
  return path.join(path.dirname(site), '.videos');
}

/** Runs `npm run import` with these words, also of made-up recordings. */
export function runImport(
  folderOf: (site: string) => string,
  ...words: string[]
): Promise<CommandOutput> {
  return outputOf(['import', ...words], async ({ given, operands: [archive = ''] }, { print }) => {
    const videoFolderOf = (video: string) => path.join(videosFolderNextTo(folderOf('x')), video);
    const formats = [...IMPORT_FORMATS, MADE_UP_FORMAT];
    const dependencies = { folderOf, videoFolderOf, print, formats };
    await importCommand(archive, valuesOf(IMPORT_OPTIONS, given), dependencies);
    return EXIT.ok;
  });
}

/** Default folder of exports: next to the sites. */
export function exportsFolderNextTo(sites: string): string {
  return path.join(sites, 'exports');
}

/** Runs `npm run export` with these words. */
export function runExport(sites: string, ...words: string[]): Promise<CommandOutput> {
  const exportsFolder = exportsFolderNextTo(sites);
  return outputOf(['export', ...words], async ({ given, operands: [site = ''] }, { print }) => {
    await exportCommand(site, valuesOf(EXPORT_OPTIONS, given), { sites, exportsFolder, print });
    return EXIT.ok;
  });
}

/** Runs `npm run sites` with these words. */
export function runSites(
  dependencies: Pick<SitesDependencies, 'sites' | 'toRepair'>,
  ...words: string[]
): Promise<CommandOutput> {
  return outputOf(['sites', ...words], ({ given, operands }, output) =>
    sitesCommand(operands, valuesOf(SITES_OPTIONS, given), {
      ...dependencies,
      videos: videosFolderNextTo(path.join(dependencies.sites, 'x')),
      ...output,
    }),
  );
}

type Output = Pick<SitesDependencies, 'print' | 'complain'>;

async function outputOf(
  words: readonly string[],
  command: (line: CommandLine, output: Output) => Promise<number>,
): Promise<CommandOutput> {
  const lines: string[] = [];
  const errors: string[] = [];
  const statusOf = async () => {
    const line = readCommandLine(words, await loadTools());
    if (line === null) return EXIT.ok;
    return command(line, {
      print: (text) => lines.push(text),
      complain: (text) => errors.push(text),
    });
  };
  const status = await statusOf().catch((error) => {
    if (!(error instanceof ExitError)) throw error;
    errors.push(error.message);
    return error.exitStatus;
  });
  return { status, lines, out: lines.join('\n'), errors: errors.join('\n') };
}
