import type { Check, Finding } from '../check.ts';
import { programOutput } from '../program-output.ts';

// Program, how it tells its version, and the package of Debian and Ubuntu that brings it.
const TOOLS = [
  ['ip', '-V', 'iproute2'],
  ['tc', '-V', 'iproute2'],
  ['sysctl', '--version', 'procps'],
  ['nsenter', '--version', 'util-linux'],
] as const;

/** Programs that set up the path and put others into its namespaces. */
export const networkTools: Check = {
  name: 'network tools',
  async run() {
    const asked = TOOLS.map(async ([program, option, from]) => {
      const answer = await programOutput(program, [option]);
      return { program, from, version: answer.ok ? answer.output : null };
    });
    return judgeNetworkTools(await Promise.all(asked));
  },
};

/** One program as it was found. */
export interface Tool {
  program: string;
  /** The package that brings it. */
  from: string;
  /** What it says of itself; null: it is not there. */
  version: string | null;
}

export function judgeNetworkTools(tools: readonly Tool[]): Finding {
  const missing = tools.filter(({ version }) => version === null);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(({ from }) => from))].join(' ');
    return {
      status: 'lack',
      found: `missing: ${missing.map(({ program }) => program).join(', ')}`,
      remedy: `On Debian and Ubuntu: apt-get install ${packages}`,
    };
  }
  const iproute = /iproute2-([\w.]+)/.exec(tools[0]?.version ?? '')?.[1] ?? 'of unknown version';
  return {
    status: 'ok',
    found: `${tools.map(({ program }) => program).join(', ')} (iproute2 ${iproute})`,
  };
}
