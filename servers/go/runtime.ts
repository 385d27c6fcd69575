import path from 'node:path';
import type { Runtime, SystemProgram } from '../../ground/runtimes/runtime.ts';
import { madeFolder, projectFolder } from '../../ground/system/folders.mjs';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';

const SOURCES = 'servers/go';
const MODULE = 'github.com/quic-go/quic-go';
const PROGRAM = path.join(madeFolder, '.setup', 'stacks', 'go', 'quic-vs-https-go');
/** The program while it is built; renamed when complete. */
const UNFINISHED = `${PROGRAM}.unfinished`;

const GO_MOD = readPlainTextSync(path.join(import.meta.dirname, 'go.mod'));

/** The oldest Go that builds the sources and their imports. */
const OLDEST = versionIn(GO_MOD, /^go (\S+)$/m);

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
      const built = await command(
        program,
        buildArguments(path.join(projectFolder, SOURCES), UNFINISHED),
      );
      if (built.ok) {
        const moved = await command('mv', ['-f', UNFINISHED, PROGRAM]);
        return moved.ok ? null : `${PROGRAM} could not be written:\n${moved.output}`;
      }
      return `go build failed. Of the network it needs a Go module proxy (see GOPROXY) for what ${SOURCES}/go.mod names:\n${built.output}`;
    },
  },
  versions: {
    library: 'quic-go',
    at(version, folder) {
      const sources = path.join(folder, 'sources');
      const program = path.join(madeFolder, folder, 'quic-vs-https-go');
      return {
        program,
        madeFrom: [SOURCES],
        needs: NEEDS,
        async fetch(command) {
          await command('rm', ['-rf', folder]);
          await command('mkdir', ['-p', folder]);
          const copied = await command('cp', ['-R', path.join(projectFolder, SOURCES), sources]);
          if (!copied.ok) return copied.output;
          // Another version brings its own versions of the modules that only it needs.
          const modules = [...GO_MOD.matchAll(/(\S+) v\d\S* \/\/ indirect/g)].map(
            ([, name]) => name,
          );
          const drops = [MODULE, ...modules].map((name) => `-droprequire=${name}`);
          const freed = await command('go', [
            'mod',
            'edit',
            ...drops,
            path.join(sources, 'go.mod'),
          ]);
          if (!freed.ok) return freed.output;
          const got = await command('go', ['get', '-C', sources, `${MODULE}@v${version}`]);
          return got.ok ? null : got.output;
        },
        async build(command) {
          // Older versions have another interface for traces.
          const tags = [[], ['-tags', OLD_TRACES]];
          const trials: string[] = [];
          for (const each of tags) {
            // With the version, or Go would take a newer one for a package that it lacks.
            const pinned = ['get', '-C', sources, ...each, '.', `${MODULE}@v${version}`];
            const resolved = await command('go', pinned);
            const built = resolved.ok
              ? await command('go', buildArguments(sources, program, each))
              : resolved;
            if (built.ok) return null;
            trials.push(built.output);
          }
          return trials.join('\n');
        },
        async known(command) {
          const { ok, output } = await command('go', ['list', '-m', '-versions', MODULE]);
          return ok ? output.split(/\s+/).map((each) => each.replace(/^v/, '')) : [];
        },
      };
    },
  },
} satisfies Runtime;

/** Build tag of window_logging.go. */
const OLD_TRACES = 'oldtraces';

function buildArguments(sources: string, program: string, more: readonly string[] = []): string[] {
  return [
    ...['build', '-C', sources, '-trimpath', ...more],
    // Without version control data: the copy may be no repository, or belong to another user.
    '-buildvcs=false',
    '-ldflags=-s -w',
    ...['-o', program, '.'],
  ];
}

/** Major, minor and patch number, as far as present; empty without a version. */
function versionIn(text: string, pattern: RegExp): number[] {
  return pattern.exec(text)?.[1]?.split('.').map(Number) ?? [];
}

function isNotOlder(version: readonly number[], oldest: readonly number[]): boolean {
  const at = oldest.findIndex((each, index) => each !== (version[index] ?? 0));
  return at < 0 || (version[at] ?? 0) > (oldest[at] as number);
}
