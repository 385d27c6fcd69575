import type { Check, Finding } from '../../../ground/host/check.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { type ProgramOutput, runProgram } from '../../../ground/system/program-output.ts';
import { shellWord } from '../../../ground/system/shell-word.ts';
import type { ProfileKind } from './profile.ts';

/** A program of the system that --profile has look at others. */
interface ProfileProgram {
  program: string;
  /** Has it look at a program that does nothing: that it is there does not say that it is allowed to. */
  attempt: readonly string[];
  /** The package of Debian that brings it. */
  from: string;
}

/** By the profile that needs it; what is not in it needs none. */
export const PROFILE_PROGRAMS: Readonly<Partial<Record<ProfileKind, ProfileProgram>>> = {
  syscalls: { program: 'strace', attempt: ['-f', '-c', '-o', '/dev/null', 'true'], from: 'strace' },
  flame: {
    program: 'perf',
    attempt: ['record', '-q', '-e', 'cpu-clock', '-g', '-o', '/dev/null', 'true'],
    from: 'linux-perf',
  },
};

/** What to do where such a program cannot do its work. */
function profileRemedy({ program, from }: ProfileProgram): string {
  const allowed =
    program === 'perf'
      ? 'where it is there, run as root, or: sysctl kernel.perf_event_paranoid=1'
      : 'where it is there, run as root, or: sysctl kernel.yama.ptrace_scope=0';
  return `On Debian: apt-get install ${shellWord(from)} (on Ubuntu ${shellWord(program === 'perf' ? 'linux-tools-generic' : from)}); ${allowed}`;
}

/**
 * Makes sure that the programs are there that profiles need, and may do their work.
 * @throws MachineError when one cannot
 */
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
      `--profile ${kind} needs ${needed.program}, which does not work here: ${answer.reason}. ${profileRemedy(needed)}. Or leave ${kind} out.`,
    );
  }
}

/** Whether a program can look at others here. */
export function tryProgram({ program, attempt }: ProfileProgram): Promise<ProgramOutput> {
  return runProgram(program, attempt);
}

/** Whether each of the programs works, for the doctor. */
export const profilerChecks: readonly Check[] = Object.entries(PROFILE_PROGRAMS).map(
  ([kind, needed]) => ({
    name: needed.program,
    run: async () => profilerFinding(kind, needed, await tryProgram(needed)),
  }),
);

/** @param answer result of an attempt */
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
