import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawOptions } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { addressOfHost } from '../../network/addresses.ts';
import type { NamespaceProcess } from '../../network/namespace-processes.ts';
import { backendFor, withNetwork } from '../../network/network.ts';
import type { Path } from '../../network/path.ts';
import { readMachine } from '../../runner/machine.ts';
import { pathChoices } from '../../runner/path-choices.ts';
import type { LentSignals } from '../../runner/stop.ts';
import { writeTraces } from '../../runner/traces.ts';
import { runInForeground, SAME_KEY_MS } from './foreground.ts';
import { readManualRequest } from './manual-request.ts';
import { announcePath, endedText, measurePath } from './measure-path.ts';
import { NETWORK_COMMAND_OPTIONS } from './network-options.ts';
import { proofLines, trafficLines } from './proof.ts';
import { withServerCommand } from './server-command.ts';

/** Only TCP is configured here: any stack without QUIC will do. */
const STACK_OF_TCP = 'bun-h2';

/**
 * Runs the user's command in the client's namespace of a measured path, with the user's server in the other one if given, and ends
 * all processes there.
 * @returns the exit status of the command
 * @throws UsageError for options, and if the command is no program; ServerError if the server does not start; NetworkError if the path
 *   does not match the options, or breaks
 */
export async function networkCommand(
  command: readonly string[],
  given: RawOptions,
  { complain, signals }: { complain: (line: string) => void; signals: LentSignals },
): Promise<number> {
  const { server, quiet } = valuesOf(NETWORK_COMMAND_OPTIONS, given);
  const { server: _, quiet: __, ...pathOptionValues } = given;
  const { initcwnd, 'receive-buffer': receiveBuffer } = NETWORK_COMMAND_OPTIONS;
  const { options, condition } = readManualRequest({
    initcwnd: initcwnd.byDefault.join(),
    'receive-buffer': receiveBuffer.byDefault.join(),
    ...pathOptionValues,
    stacks: STACK_OF_TCP,
  });
  // npm changes to the project's folder.
  const folder = process.env.INIT_CWD ?? process.cwd();
  assertProgram(command[0] ?? '', folder);
  const { python } = readMachine();
  const say = quiet ? () => {} : complain;
  const { now: signal } = signals;
  return withTemporaryFolder('by-hand', async (temporary) => {
    const { traces: tracesFolder } = runFolder(temporary);
    await writeTraces(tracesFolder, options.traces);
    const pathOptions = {
      python,
      hosts: 1,
      tracesFolder,
      signal,
      ...pathChoices(options.experiment, options.choices, options.networks),
    };
    const backend = backendFor(options.networks, options.backend);
    announcePath(condition, { say, signal });
    const onEnded = (ended: NamespaceProcess[]) => say(endedText(ended));
    return withNetwork({ ...pathOptions, backend, onEnded }, async (made) => {
      const calibration = await measurePath(made, condition, python, { say, signal });
      for (const line of proofLines(calibration, condition)) say(line);
      const asRun = { command, server, folder, say, signals };
      return runAtEnds(made, asRun);
    });
  });
}

interface RunAtEnds {
  command: readonly string[];
  /** Command line; null: no server. */
  server: string | null;
  folder: string;
  say: (line: string) => void;
  signals: LentSignals;
}

/** Runs the server, if given, and the command, reports the traffic, and returns the command's exit status. */
async function runAtEnds(
  { agent, count }: Path,
  { command, server, folder, say, signals }: RunAtEnds,
): Promise<number> {
  const { now: signal } = signals;
  const address = addressOfHost(0);
  const env = { ...process.env, SERVER_ADDRESS: address };
  const run = async () => {
    signal.throwIfAborted();
    const inPlace = [...agent.enter('client'), ...command];
    const status = await runInForeground(inPlace, { env, folder, say, signals });
    say(`COMMAND ended with status ${status}.`);
    const counted = count();
    // npm may forward the Ctrl-C that ended the command.
    const handingOn = sleep(SAME_KEY_MS, undefined, { ref: false });
    await signals.lend(
      () => {},
      () => Promise.race([counted, handingOn]),
    );
    for (const line of trafficLines(await counted)) say(line);
    return status;
  };
  if (server === null) return run();
  return withServerCommand(server, { agent, address, folder, say, signal }, run);
}

/** @throws UsageError if the program does not exist */
function assertProgram(name: string, folder: string): void {
  const places = name.includes('/')
    ? [path.resolve(folder, name)]
    : (process.env.PATH ?? '').split(path.delimiter).map((place) => path.join(place, name));
  if (places.some(isProgram)) return;
  if (name.includes('/') || name === '') {
    const found = statSync(places[0] ?? '', { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new UsageError(`COMMAND ${name} is a folder, not a program.`);
    if (found) {
      throw new UsageError(
        `COMMAND ${name} is not executable. Use chmod +x, or put its interpreter first.`,
      );
    }
  }
  const mistaken = name.startsWith('-')
    ? 'Put options of the path before the last --, and COMMAND after it.'
    : 'Shell syntax ($SERVER_ADDRESS, cd, a pipe) needs a shell as COMMAND: see npm run network -- --help.';
  throw new UsageError(`COMMAND ${name}: no such program. ${mistaken}`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
