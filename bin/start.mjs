// What users start, on Node 20 or later without dependencies: does the set-up that a command needs, and runs it on the project's Node.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  isPackage,
  NODE,
  nodeProgram,
  PROGRAM_NEEDS,
  projectFolder,
} from '../ground/system/folders.mjs';
import { complain } from '../ground/system/printed.mjs';

/** Commands that need no more than npm packages. */
const LIGHT = ['export', 'sites', 'report', 'packets', 'merge', 'doctor'];

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const FIRST_SIGNAL_STATUS = 128;
/** Exit status: this machine lacks something. */
const LACKING = 3;

const { scripts, optionalDependencies } = JSON.parse(
  readFileSync(path.join(projectFolder, 'package.json'), 'utf8'),
);
const words = process.argv.slice(2);
const setUpProgram = path.join(projectFolder, 'setup.mjs');

if (words[0] === 'setup') {
  process.exitCode = await run(process.execPath, [setUpProgram, ...words.slice(1)]);
} else {
  const needs = setUpFor(words);
  const status = needs === null ? 0 : await run(process.execPath, [setUpProgram, ...needs]);
  if (status !== 0) process.exitCode = status;
  else await runProgram();
}

/** Options of set-up; null: nothing is needed. */
function setUpFor([command = '', ...rest]) {
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  const isHelp = ['--help', '-h', '--version', '-V'].some((option) => own.includes(option));
  if (
    !isHelp &&
    Object.hasOwn(scripts, command) &&
    scripts[command].includes('start.mjs') &&
    !LIGHT.includes(command)
  ) {
    return ['--command', command];
  }
  // npm itself installed the packages of a package.
  return isPackage ? null : ['--only', 'packages'];
}

async function runProgram() {
  const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
  if (process.versions.node !== optionalDependencies[NODE]) {
    process.exitCode = await run(nodeProgram, [...process.execArgv, program, ...words]);
  } else {
    await import('./quic-vs-https.ts');
  }
}

/** Whether a terminal sends Ctrl-C and its end to this program, and so to all that it has started. */
function isInForeground() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foregroundGroup;
}

/** Runs a program in this one's place; returns its exit status. */
function run(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' });
  const forward = (signal) => {
    if (signal === 'SIGTERM' || !isInForeground()) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      complain(`The npm package ${NODE} does not run here: ${message}. ${PROGRAM_NEEDS}`);
      resolve(LACKING);
    });
    child.on('exit', (status, signal) => {
      for (const each of SIGNALS) process.off(each, forward);
      resolve(status ?? FIRST_SIGNAL_STATUS + os.constants.signals[signal]);
    });
  });
}
