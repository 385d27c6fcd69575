/** Runtime of server programs, described for set-up, doctor and the records of runs. */
export interface Runtime {
  /** Key under which set-up stores its sources. */
  name: string;
  /** Label for doctor. */
  title: string;
  /** Absolute path of the program. */
  program: string;
  /** Absolute path of a server that the installation adds, the first argument of server programs; absent: the installation adds the program. */
  installs?: string;
  /** Arguments before the file of a server; absent: none. */
  arguments?: readonly string[];
  /** Arguments that print versions as JSON (name to version), and fail when something is missing. */
  versionArgs: readonly string[];
  /** Text of these versions for doctor. */
  versionsText(versions: Readonly<Record<string, string>>): string;
  /** Set up only if `--stacks` or `--clients` needs it; absent: always. */
  onDemand?: true;
  /** Installation by set-up; absent: part of the npm packages. */
  install?: Installation;
  /** Other versions of its library, from a registry; absent: it has one version. */
  versions?: RuntimeVersions;
}

/** How a runtime is made with another version of a library. */
export interface RuntimeVersions {
  /** The library, as in the output of `versionArgs`. */
  library: string;
  /** @param folder for everything of this version, relative to the project */
  at(version: string, folder: string): VersionInstallation;
}

interface VersionInstallation
  extends Pick<Installation, 'madeFrom' | 'needs'>,
    Pick<Runtime, 'program' | 'installs'>,
    Partial<Pick<Runtime, 'versionArgs'>> {
  /** Fetches the version; returns the problem, or null. */
  fetch(command: RunCommand): Promise<string | null>;
  /** Builds the program from it; returns the problem, or null. Absent: nothing is built. */
  build?(command: RunCommand): Promise<string | null>;
  /** Versions in the registry, called after fetch() failed; empty if they are not known. */
  known(command: RunCommand): Promise<string[]>;
}

export interface Installation {
  /** Progress message of set-up. */
  title: string;
  /** Files in the project whose changes cause a new installation. */
  madeFrom: readonly string[];
  /** System program that the installation needs. */
  needs: SystemProgram;
  /** Installs it; returns the problem with its remedy, or null. */
  run(command: RunCommand): Promise<string | null>;
}

/** A program that set-up does not install. */
export interface SystemProgram {
  program: string;
  versionArg: readonly string[];
  /** Whether its version output is recent enough; absent: any version. */
  isEnough?(answer: string): boolean;
  /** Instructions for the user. */
  remedy: string;
}

/** Runs a program in the project's folder and returns its output. */
export type RunCommand = (
  program: string,
  args: readonly string[],
) => Promise<{ ok: boolean; output: string }>;

/** Distinct runtimes of these stacks that set-up installs on demand. */
export function onDemandRuntimes(stacks: readonly { runtime?: Runtime }[]): Runtime[] {
  const runtimes = stacks.flatMap(({ runtime }) => (runtime?.onDemand ? runtime : []));
  return [...new Set(runtimes)];
}
