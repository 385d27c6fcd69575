import type { Profile } from './profile.ts';

/** Profiles processes until it is stopped. */
export interface Profiler {
  /**
   * Stops and returns the result; the processes continue.
   * @throws Error if profiling failed
   */
  end(): Promise<ProfilerOutput>;
  /** Stops without a result. */
  stop(): Promise<void>;
}

interface ProfilerOutput {
  /** Suffix of the file name: `syscalls.txt`. */
  suffix: string;
  /** Content of the file. */
  text: string;
  found: Pick<Profile, 'steps' | 'calls' | 'stacks' | 'hz'>;
}
