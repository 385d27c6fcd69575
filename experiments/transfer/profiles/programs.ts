import type { Check, Finding } from '../../../ground/host/check.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { type ProgramOutput, runProgram } from '../../../ground/system/program-output.ts';
import { shellWord } from '../../../ground/system/shell-word.ts';
import type { ProfileKind } from './profile.ts';

/** A system program that --profile needs. */
interface ProfileProgram {
  program: string;
  /** Arguments that profile a trivial program, to test permissions too. */
  attempt: readonly string[];
  /** Its Debian package. */
  from: string;
}

/** Programs by profile; profiles without an entry need no program. */
export const PROFILE_PROGRAMS: Readonly<Partial<Record<ProfileKind, ProfileProgram>>> = {
  syscalls: { program: 'strace', attempt: ['-f', '-c', '-o', '/dev/null', 'true'], from: 'strace' },
  flame: {
    program: 'perf',
    attempt: ['record', '-q', '-e', 'cpu-clock', '-g', '-o', '/dev/null', 'true'],
    from: 'linux-perf',
  },
};

function profileRemedy({ program, from }: ProfileProgram): string {
  const allowed =
    program === 'perf'
      ? 'if it is installed, run as root, or: sysctl kernel.perf_event_paranoid=1'
      : 'if it is installed, run as root, or: sysctl kernel.yama.ptrace_scope=0';
  return `On Debian: apt-get install ${shellWord(from)} (on Ubuntu ${shellWord(program === 'perf' ? 'linux-tools-generic' : from)}); ${allowed}`;
}

/** @throws MachineError if a program for a profile is missing or not permitted */
export async function assertProfiles(
  kinds: readonly ProfileKind[],
  attemptOf: (needed: ProfileProgram) => Promise<ProgramOutput> = tryProgram,
): Promise<void> {
  for (const kind of kinds) {
    const needed = PROFILE_PROGRAMS[kind];
    if (!needed) continue;
    const answer = await attemptOf(needed);
    if (answer.ok) continue;
    throw new MachineError(
      `--profile ${kind} needs ${needed.program}, which does not work here: ${answer.reason}. ${profileRemedy(needed)}. Or remove ${kind}.`,
    );
  }
}

export function tryProgram({ program, attempt }: ProfileProgram): Promise<ProgramOutput> {
  return runProgram(program, attempt);
}

/** Checks of these programs for `npm run doctor`. */
export const profilerChecks: readonly Check[] = Object.entries(PROFILE_PROGRAMS).map(
  ([kind, needed]) => ({
    name: needed.program,
    run: async () => profilerFinding(kind, needed, await tryProgram(needed)),
  }),
);

export function profilerFinding(
  kind: string,
  needed: ProfileProgram,
  answer: ProgramOutput,
): Finding {
  if (answer.ok)
    return { status: 'ok', found: `works: for npm run transfer -- --profile ${shellWord(kind)}` };
  return {
    status: 'note',
    found: `does not work (${answer.reason}): only needed for npm run transfer -- --profile ${shellWord(kind)}`,
    remedy: profileRemedy(needed),
  };
}
