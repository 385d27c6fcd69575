import { inspect } from 'node:util';
import { experimentOfCommand } from '../experiments/index.ts';
import type { Experiment } from '../ground/experiment.ts';
import { optionsOfRun } from '../ground/options/common.ts';
import { EXIT, ExitError } from '../ground/system/exit-status.ts';
import { diskProblem, pathProblem } from '../ground/system/file-error.ts';
import { complain, indented, print } from '../ground/system/printed.mjs';
import { type CommandLine, readCommandLine } from '../runner/command-line/command-line.ts';
import { measuringCommands } from '../runner/command-line/commands.ts';
import { refuseOptionsThatNpmTook } from '../runner/command-line/npm-flags.ts';
import { loadTool, loadTools } from '../tools/index.ts';

/** Alternatives to measuring, by the option that selects them. */
const COMMAND_OVERRIDES: Readonly<
  Record<string, (line: CommandLine, experiment: Experiment) => Promise<number>>
> = {
  async read({ given, operands }, experiment) {
    const { readCommand } = await import('../tools/read/command.ts');
    print(await readCommand({ given, operands }, experiment, studies));
    return EXIT.ok;
  },
  async probe({ given, operands }, experiment) {
    const { probeHosts } = await import('../tools/probe/command.ts');
    const { stopNowOnSignals } = await import('../runner/stop.ts');
    return probeHosts(operands, given, optionsOfRun(experiment), {
      print,
      signal: stopNowOnSignals(),
    });
  },
};

async function runExperiment(line: CommandLine, experiment: Experiment): Promise<number> {
  const option = Object.keys(COMMAND_OVERRIDES).find((name) => line.given[name] !== undefined);
  const instead = option === undefined ? undefined : COMMAND_OVERRIDES[option];
  if (instead) return instead(line, experiment);
  const { benchmarkCommand } = await import('../runner/command.ts');
  const measured = namesPages(line, experiment) ? await withRecordedPages(line, experiment) : line;
  return benchmarkCommand(measured, experiment, studies);
}

/** Pages are recorded first, live pages are not. */
function namesPages({ operands, given }: CommandLine, experiment: Experiment): boolean {
  return experiment.loadsPages === true && operands.length > 0 && given.live === undefined;
}

async function withRecordedPages(line: CommandLine, experiment: Experiment): Promise<CommandLine> {
  const { lineOfPages } = await import('../tools/record/page-run.ts');
  const { checkCommand } = await import('../runner/command.ts');
  const { stopNowOnSignals } = await import('../runner/stop.ts');
  const check = (measured: CommandLine) => checkCommand(measured, experiment, studies);
  return lineOfPages(line, check, { signal: stopNowOnSignals() });
}

async function studies() {
  return (await import('../studies/index.ts')).STUDIES;
}

async function runCommand(words: readonly string[]): Promise<number> {
  const [name = ''] = words;
  const tool = await loadTool(name);
  const experiment = tool ? undefined : experimentOfCommand(name);
  const commands = {
    ...(experiment && measuringCommands([experiment])),
    ...(tool && { [name]: tool }),
    // The error for an unknown command lists all commands.
    ...(!experiment && !tool && { ...measuringCommands(), ...(await loadTools()) }),
  };
  refuseOptionsThatNpmTook(words.slice(1), process.env, commands);
  const asksFor = (...options: string[]) => options.some((option) => words.includes(option));
  const known = asksFor('--help', '-h') ? (await import('./known-names.ts')).KNOWN_NAMES : null;
  const version = asksFor('--version', '-V') ? await versionText() : '';
  // With --help, an unknown command would get the general help.
  const isUnknown = /^[^-]/.test(name) && !Object.hasOwn(commands, name);
  const line = readCommandLine(isUnknown ? [name] : words, commands, known, version);
  if (line === null) return EXIT.ok;
  if (experiment) return runExperiment(line, experiment);
  if (!tool) throw new Error(`no tool is called ${line.command}`);
  return tool.run(line, { studies });
}

async function versionText(): Promise<string> {
  const { readIdentity } = await import('../ground/system/identity.ts');
  const { identityText } = await import('../kit/text/versions.ts');
  const { version, ...revision } = readIdentity();
  return `quic-vs-https ${identityText(version, revision)}`;
}

/** Reports why a command failed; returns the exit status. */
function reportError(error: unknown): number {
  if (error instanceof ExitError) {
    complain(indented(error.message));
    return error.exitStatus;
  }
  const ofDisk = diskProblem(error);
  if (ofDisk !== null) {
    complain(indented(ofDisk));
    return EXIT.machine;
  }
  const problem = pathProblem(error);
  if (problem !== null) {
    complain(indented(problem));
    return EXIT.usage;
  }
  return reportBug(error);
}

function reportBug(error: unknown): number {
  complain(
    indented(
      `This is a bug in quic-vs-https; please report it with this message:\n${inspect(error)}`,
    ),
  );
  return EXIT.bug;
}

/** Runs a command line; returns the exit status. */
export async function program(words: readonly string[]): Promise<number> {
  // A closed terminal or pipe must not stop the command, which writes its results to files.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // Otherwise Node would print unhandled errors itself.
  process.on('uncaughtException', (error) => process.exit(reportBug(error)));
  return runCommand(words).catch(reportError);
}
