import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '../../ground/host/check.ts';
import { python } from '../../ground/runtimes/python.ts';
import { ExitError } from '../../ground/system/exit-status.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';
import { type NamespaceName, type PathAgent, withPathAgent } from '../../network/agent.ts';

/** Why the machine does not let something be done, and what to do. */
export type Refusal = Required<Omit<Finding, 'status'>>;

/** Tries something in namespaces that a benchmark would use, for real: no list of settings knows every obstacle. */
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

/** The agent's messages name the remedy after the reason. */
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
  // A command is written as it is typed.
  if (whole.startsWith('npm ')) return `Run: ${whole}`;
  return (whole[0] ?? '').toUpperCase() + whole.slice(1);
}

/** A row about something that only namespaces can tell. */
export function unknownFinding(): Finding {
  return {
    status: 'note',
    found: 'can only be determined where namespaces can be made (see there)',
  };
}

/** The remedy for everything that set-up installs. */
export const SET_UP = 'Run: npm run setup';

export function packagedProgram(name: string): string {
  return path.join(projectFolder, 'node_modules', '.bin', name);
}

/** The project's Python, or else the system's: enough to find out what the network can do. */
function anyPython(): string {
  const { program } = python;
  return existsSync(program) ? program : 'python3';
}
