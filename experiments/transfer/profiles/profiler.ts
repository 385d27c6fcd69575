import type { Profile } from './profile.ts';

/** What looks at some processes from now until it is ended. */
export interface Profiler {
  /**
   * Ends it and gives what it saw; the processes go on.
   * @throws Error when it failed
   */
  end(): Promise<ProfilerOutput>;
  /** Ends it without asking for anything. */
  stop(): Promise<void>;
}

/** What was seen of some processes. */
interface ProfilerOutput {
  /** The file's name ends with this: `syscalls.txt`. */
  suffix: string;
  /** As the program that looked gave it, or as others read it. */
  text: string;
  found: Pick<Profile, 'steps' | 'calls' | 'stacks' | 'hz'>;
}
