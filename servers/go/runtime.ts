import path from 'node:path';
import type { Runtime, SystemProgram } from '../../ground/runtimes/runtime.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';

const SOURCES = 'servers/go';
const PROGRAM = path.join(projectFolder, '.setup', 'stacks', 'go', 'quic-vs-https-go');
/** The program while it is built; renamed when complete. */
const UNFINISHED = `${PROGRAM}.unfinished`;

/** The oldest Go that builds the sources and their imports, from go.mod. */
const OLDEST = versionIn(
  readPlainTextSync(path.join(import.meta.dirname, 'go.mod')),
  /^go (\S+)$/m,
);

const NEEDS: SystemProgram & { isEnough(answer: string): boolean } = {
  program: 'go',
  versionArg: ['version'],
  isEnough: (answer) => isNotOlder(versionIn(answer, /\bgo(\d[\d.]*)/), OLDEST),
  remedy: `Go ${OLDEST.join('.')} or newer is needed, from https://go.dev/dl; the packages of distributions are often older`,
};

/** The servers in Go, built from this project's sources, with net/http and quic-go. */
export const go = {
  name: 'go',
  title: 'Go, quic-go',
  program: PROGRAM,
  versionArgs: ['--versions'],
  versionsText: (versions) => `Go ${versions.go} with quic-go ${versions['quic-go']}`,
  onDemand: true,
  install: {
    title: 'building the servers in Go',
    madeFrom: [SOURCES],
    needs: NEEDS,
    async run(command) {
      const { program, versionArg, isEnough, remedy } = NEEDS;
      const answer = await command(program, versionArg);
      if (!answer.ok) return `There is no Go on this machine (${answer.output}). ${remedy}.`;
      if (!isEnough(answer.output)) return `This machine has ${answer.output}. ${remedy}.`;
      const built = await command(program, [
        'build',
        '-C',
        SOURCES,
        '-trimpath',
        // Without version control data: the copy may be no repository, or belong to another user.
        '-buildvcs=false',
        '-ldflags=-s -w',
        '-o',
        UNFINISHED,
        '.',
      ]);
      if (built.ok) {
        const moved = await command('mv', ['-f', UNFINISHED, PROGRAM]);
        return moved.ok ? null : `${PROGRAM} could not be written:\n${moved.output}`;
      }
      return `go build failed. Of the network it needs a Go module proxy (see GOPROXY) for what ${SOURCES}/go.mod names:\n${built.output}`;
    },
  },
} satisfies Runtime;

/** Major, minor and patch number, as far as present; empty without a version. */
function versionIn(text: string, pattern: RegExp): number[] {
  return pattern.exec(text)?.[1]?.split('.').map(Number) ?? [];
}

function isNotOlder(version: readonly number[], oldest: readonly number[]): boolean {
  const at = oldest.findIndex((each, index) => each !== (version[index] ?? 0));
  return at < 0 || (version[at] ?? 0) > (oldest[at] as number);
}
