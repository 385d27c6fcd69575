/** What the programs of stacks run on. It describes itself; set-up, doctor and the records of runs ask it. */
export interface Runtime {
  /** Set-up remembers what it was made from under this name. */
  name: string;
  /** For doctor, with what belongs to it. */
  title: string;
  /** The program, an absolute path. */
  program: string;
  /** Arguments before the file of a server; absent: none. */
  arguments?: readonly string[];
  /** What makes the program print its versions as JSON (name to version), and fail when something is missing. */
  askVersions: readonly string[];
  /** What doctor says of these versions. */
  versionsText(versions: Readonly<Record<string, string>>): string;
  /** Set up only when what needs it is asked for (`--stacks`, `--clients`); absent: always. */
  onDemand?: true;
  /** How set-up brings it; absent: it comes with the npm packages. */
  install?: Installation;
}

/** How a runtime is brought onto a machine. */
export interface Installation {
  /** What set-up says that it is doing. */
  title: string;
  /** Files below the project's folder; installed again when one of them changes. */
  madeFrom: readonly string[];
  /** A program of the system that it is made with. */
  needs: SystemProgram;
  /** Installs it; gives what went wrong and what to do about it, or null. */
  run(command: RunCommand): Promise<string | null>;
}

/** A program that set-up does not bring. */
export interface SystemProgram {
  program: string;
  askVersion: readonly string[];
  /** Whether what it answers is of a version that is new enough; absent: any is. */
  isEnough?(answer: string): boolean;
  /** How a user gets it. */
  remedy: string;
}

/** Runs a program to its end in the project's folder; gives what it printed. */
type RunCommand = (
  program: string,
  args: readonly string[],
) => Promise<{ ok: boolean; output: string }>;

/** The runtimes of these stacks that set-up installs on demand, each once. */
export function onDemandRuntimes(stacks: readonly { runtime?: Runtime }[]): Runtime[] {
  const runtimes = stacks.flatMap(({ runtime }) => (runtime?.onDemand ? runtime : []));
  return [...new Set(runtimes)];
}
