import { existsSync } from 'node:fs';
import type { Finding } from '../../ground/host/check.ts';
import { python } from '../../ground/runtimes/python.ts';
import { ExitError } from '../../ground/system/exit-status.ts';
import { type NamespaceName, type PathAgent, withPathAgent } from '../../network/agent.ts';

/** Why the machine refuses something, and what to do. */
export type Refusal = Required<Omit<Finding, 'status'>>;

/** Tries something in real namespaces of a benchmark: no list of settings covers every obstacle. */
export async function tryInNamespaces<T>(
  namespaces: readonly NamespaceName[],
  attempt: (agent: PathAgent) => T | Promise<T>,
): Promise<{ value: T } | { refused: Refusal }> {
  try {
    const value = await withPathAgent({ python: anyPython(), namespaces }, async (agent) =>
      attempt(agent),
    );
    return { value };
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { refused: refusalOf(error.message) };
  }
}

export function refusalOf(message: string): Refusal {
  const [reason = message, remedy] = message.split('\nWhat to do: ');
  const found = reason
    .replace(/^The path between browser and servers cannot be made on this machine: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return {
    found,
    remedy: remedy ? sentence(remedy.trim()) : 'Run as root, or report this message',
  };
}

function sentence(text: string): string {
  const whole = text.replace(/\.$/, '');
  // Commands keep their lower case.
  if (whole.startsWith('npm ')) return `Run: ${whole}`;
  return (whole[0] ?? '').toUpperCase() + whole.slice(1);
}

/** Finding of checks that need namespaces, if these cannot be created. */
export function unknownFinding(): Finding {
  return {
    status: 'note',
    found: 'can only be determined where namespaces can be created (see there)',
  };
}

/** Remedy for everything that set-up installs. */
export const SET_UP = 'Run: npm run setup';

/** The project's Python, or else the system's, which suffices to examine the network. */
function anyPython(): string {
  const { program } = python;
  return existsSync(program) ? program : 'python3';
}
