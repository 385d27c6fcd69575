import { rmSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { siteFolder, sitesFolder, videosFolder } from '../cache/catalogue.ts';
import { EXPERIMENTS } from '../experiments/index.ts';
import type { Experiment } from '../ground/experiment.ts';
import { optionsOfRun } from '../ground/options/common.ts';
import { valuesOf } from '../ground/options/values.ts';
import { EXIT, ExitError, UsageError } from '../ground/system/exit-status.ts';
import { diskProblem, placeProblem } from '../ground/system/file-error.ts';
import { complain, indented, print, printStyled } from '../ground/system/printed.mjs';
import { projectFolder } from '../ground/system/project-folder.ts';
import { type CommandLine, readCommandLine } from '../runner/command-line/command-line.ts';
import { DOCTOR_OPTIONS } from '../runner/command-line/commands/by-hand.ts';
import {
  MERGE_OPTIONS,
  PACKETS_OPTIONS,
  REPORT_OPTIONS,
} from '../runner/command-line/commands/results.ts';
import {
  EXPORT_OPTIONS,
  IMPORT_OPTIONS,
  RECORD_OPTIONS,
  SITES_OPTIONS,
} from '../runner/command-line/commands/sites.ts';
import type { OtherCommand } from '../runner/command-line/commands.ts';
import { refuseOptionsThatNpmTook } from '../runner/command-line/npm-flags.ts';
import { STUDIES } from '../studies/index.ts';
import { KNOWN_NAMES } from './known-names.ts';

/** What set-up remembers of the sites it made. */
const SET_UP_STAMP = path.join(projectFolder, '.setup', 'sites');

/** Where exports go unless --out says otherwise; not in git. */
const EXPORTS_FOLDER = path.join(projectFolder, 'exports');

/** The run that commands are about unless one is named. */
const LATEST_RUN = path.join(projectFolder, 'results', 'latest');

/** Each command that measures nothing gives its exit status, and is loaded with all that it needs when it is asked for. */
const OTHERS: Record<OtherCommand, (line: CommandLine) => Promise<number>> = {
  async record({ given, operands: [url = ''] }) {
    const { recordCommand } = await import('../tools/record/command.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    await recordCommand(url, valuesOf(RECORD_OPTIONS, given), { signal: stopNowOnSignals() });
    return EXIT.ok;
  },
  async import({ given, operands: [archive = ''] }) {
    const { importCommand } = await import('../cache/import.ts');
    const videoFolderOf = (video: string) => siteFolder(video, videosFolder);
    const surroundings = { folderOf: siteFolder, videoFolderOf, print };
    await importCommand(archive, valuesOf(IMPORT_OPTIONS, given), surroundings);
    return EXIT.ok;
  },
  async export({ given, operands: [site = ''] }) {
    const { exportCommand } = await import('../cache/export.ts');
    const surroundings = { sites: sitesFolder, exportsFolder: EXPORTS_FOLDER, print };
    await exportCommand(site, valuesOf(EXPORT_OPTIONS, given), surroundings);
    return EXIT.ok;
  },
  async sites({ given, operands }) {
    const { sitesCommand } = await import('../cache/sites.ts');
    const toRepair = () => rmSync(SET_UP_STAMP, { recursive: true, force: true });
    const surroundings = { sites: sitesFolder, videos: videosFolder, toRepair, print, complain };
    return sitesCommand(operands, valuesOf(SITES_OPTIONS, given), surroundings);
  },
  async report({ given, operands }) {
    const { reportCommand } = await import('../report/command.ts');
    return reportCommand(operands, valuesOf(REPORT_OPTIONS, given), { studies: STUDIES, print });
  },
  async merge({ given, operands }) {
    const { mergeCommand } = await import('../runner/merge/command.ts');
    return mergeCommand(operands, valuesOf(MERGE_OPTIONS, given), STUDIES);
  },
  async packets({ given, operands }) {
    const { packetsCommand } = await import('../packets/command.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    const surroundings = { latest: LATEST_RUN, print, complain, signal: stopNowOnSignals() };
    await packetsCommand(operands, valuesOf(PACKETS_OPTIONS, given), surroundings);
    return EXIT.ok;
  },
  async open({ given, operands: [place = LATEST_RUN, ...more] }) {
    const { openCommand } = await import('../tools/by-hand/open.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    const byHand = { print, say: complain, signal: stopNowOnSignals() };
    await openCommand(place, more, given, byHand);
    return EXIT.ok;
  },
  async serve({ given, operands: [site = ''] }) {
    const { serveCommand } = await import('../tools/by-hand/serve.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    await serveCommand(site, given, { print, say: complain, signal: stopNowOnSignals() });
    return EXIT.ok;
  },
  async get({ given, operands: [url = ''] }) {
    const { getCommand } = await import('../tools/by-hand/get.ts');
    const { bodyOutput } = await import('../tools/by-hand/body-output.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    const surroundings = {
      output: bodyOutput(process.stdout),
      say: complain,
      signal: stopNowOnSignals(),
    };
    return getCommand(url, given, surroundings);
  },
  async network({ given, operands }) {
    const { networkCommand } = await import('../tools/by-hand/network.ts');
    const { lendSignals } = await import('../runner/stop.ts');
    return networkCommand(operands, given, { complain, signals: lendSignals() });
  },
  async doctor({ given, operands: [url] }) {
    const { resolve } = valuesOf(DOCTOR_OPTIONS, given);
    if (url !== undefined) {
      const { http3Command } = await import('../tools/doctor/http3/command.ts');
      const { stopNowOnSignals } = await import('../runner/stop.ts');
      return http3Command(url, {
        resolve,
        print: printStyled,
        say: complain,
        signal: stopNowOnSignals(),
      });
    }
    if (resolve !== null)
      throw new UsageError(
        '--resolve: name the URL to ask as well, for example https://www.example.org --resolve 127.0.0.1.',
      );
    const { doctorCommand } = await import('../tools/doctor/command.ts');
    return doctorCommand();
  },
};

/** What a measuring command does in place of measuring, by the option that asks for it. */
const INSTEAD: Readonly<
  Record<string, (line: CommandLine, experiment: Experiment) => Promise<number>>
> = {
  async read({ given, operands }, experiment) {
    const { readCommand } = await import('../runner/read/command.ts');
    print(await readCommand({ given, operands }, experiment, STUDIES));
    return EXIT.ok;
  },
  async probe({ given, operands }, experiment) {
    const { probeHosts } = await import('../tools/probe/run.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    return probeHosts(operands, given, optionsOfRun(experiment), {
      print,
      signal: stopNowOnSignals(),
    });
  },
};

async function measured(line: CommandLine, experiment: Experiment): Promise<number> {
  const asked = Object.keys(INSTEAD).find((name) => line.given[name] !== undefined);
  const instead = asked === undefined ? undefined : INSTEAD[asked];
  if (instead) return instead(line, experiment);
  const { benchmarkCommand } = await import('../runner/command.ts');
  return benchmarkCommand(line, experiment, STUDIES);
}

async function carriedOut(words: readonly string[]): Promise<number> {
  refuseOptionsThatNpmTook(words.slice(1), process.env);
  const line = readCommandLine(words, KNOWN_NAMES);
  if (line === null) return EXIT.ok;
  const experiment = EXPERIMENTS.find(({ command }) => command?.name === line.command);
  return experiment ? measured(line, experiment) : OTHERS[line.command as OtherCommand](line);
}

/** Tells why a command could not do what it was asked for; gives the exit status. */
function statusOf(error: unknown): number {
  if (error instanceof ExitError) {
    complain(indented(error.message));
    return error.exitStatus;
  }
  const ofDisk = diskProblem(error);
  if (ofDisk !== null) {
    complain(indented(ofDisk));
    return EXIT.machine;
  }
  const problem = placeProblem(error);
  if (problem !== null) {
    complain(indented(problem));
    return EXIT.usage;
  }
  return bug(error);
}

function bug(error: unknown): number {
  complain(
    indented(
      `This is a bug in quic-vs-https; please report it with this message:\n${inspect(error)}`,
    ),
  );
  return EXIT.bug;
}

/** Does what the words of a command line ask for; gives the exit status. */
export async function program(words: readonly string[]): Promise<number> {
  // The terminal or the pipe may be gone: what is written to files is what counts.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // What is thrown where nothing waits for it would be printed by Node as it is.
  process.on('uncaughtException', (error) => process.exit(bug(error)));
  return carriedOut(words).catch(statusOf);
}
