// Runs a program for set-up, and exits with its status. Leads a process group, and kills it when set-up has ended for any
// reason: npm, pip, apt and go would continue, and change the files of the next set-up.
import { spawn } from 'node:child_process';
import { complain } from '../ground/system/printed.mjs';

const CANNOT_START = 127;

// Set-up sends signals to the group: the program decides how long it takes to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
// The other end is open as long as set-up lives.
process.stdin.on('end', () => process.kill(0, 'SIGKILL')).resume();

const [program, ...args] = process.argv.slice(2);
spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  .on('error', ({ message }) => {
    complain(message);
    process.exit(CANNOT_START);
  })
  .on('exit', (status) => process.exit(status ?? 1));
