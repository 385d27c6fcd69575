import { bun } from '../../clients/bun/client.ts';
import { startExaminer } from '../../clients/examiner.ts';
import type { SiteToLoad } from '../../experiments/subjects.ts';
import type { RunChoices } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { ServerError } from '../../ground/system/errors.ts';
import { NOTHING_ADDED } from '../../network/conditions.ts';
import type { Path } from '../../network/path.ts';
import { urlOf } from '../../servers/own-stack.ts';
import type { Machine } from '../machine.ts';
import type { Server } from '../servers.ts';
import { examine, type ServerDescription, warningOfStarted } from './examine.ts';
import { listenersOf } from './listeners.ts';
import type { Reaches } from './reach.ts';

interface ExamineContext {
  site: SiteToLoad;
  reaches: Reaches;
  path: Pick<Path, 'agent' | 'apply'>;
  machine: Pick<Machine, 'bun'>;
  choices: Pick<RunChoices, 'tlsMost'>;
  signal: AbortSignal;
}

/**
 * A running server, in the form of servers that the run starts.
 * @throws ServerError when its responses are not the site's
 */
export async function ownServer(stack: Stack, servers: ExamineContext): Promise<Server> {
  const { ip, port, isHere } = reachOf(stack, servers);
  const { spkiPins, warning: _, ...shown } = await describeServer(stack, servers);
  const listeners = isHere ? await listenersOf(servers.path.agent, stack.protocol) : null;
  return {
    stack,
    origins: Object.fromEntries(servers.site.hosts.map((host) => [host, `${ip}:${port}`])),
    details: {},
    shown: { ...shown, isHere },
    pid: listeners?.find((each) => each.port === port)?.pid ?? null,
    spkiPins,
    follow: () => () => {},
    // Only a request could show it, and attempts do not wait for one.
    assertAlive: () => {},
    async assertAnswers() {
      await clearPath(servers.path);
      try {
        await describeServer(stack, servers);
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        throw new ServerError(
          `The server of ${stack.stack} at ${urlOf(stack)} no longer answers as it did: ${error.message}`,
          stack.stack,
        );
      }
    },
  };
}

/** Removes the last attempt's network emulation from a path, as its effects on responses are not the server's fault. */
export function clearPath(path: Pick<Path, 'apply'>): Promise<void> {
  return path.apply({ ...NOTHING_ADDED, seed: 0 });
}

/** Limit of an examination of a slow server, resource by resource. */
const LIMIT_MS = 120_000;

/**
 * Examines a running server over the path in its present state: call clearPath() first.
 * @throws ServerError when its responses are not the site's
 */
export async function describeServer(
  stack: Stack,
  servers: ExamineContext,
): Promise<ServerDescription> {
  const { site, path, machine, choices, signal } = servers;
  const url = urlOf(stack) ?? '';
  const examiner = startExaminer([machine.bun, bun.examine], { enter: path.agent.enter('client') });
  try {
    const examining = examine({
      stack,
      url,
      reach: reachOf(stack, servers),
      site,
      examiner,
      agent: path.agent,
      tlsMost: choices.tlsMost ?? '1.3',
    });
    const late = () => {
      throw new ServerError(
        `${stack.stack} at ${url} cannot be measured. Not all responses came within ${LIMIT_MS / 1000} s.`,
        stack.stack,
      );
    };
    return await withDeadline(examining, LIMIT_MS, late, signal);
  } finally {
    await examiner.close();
  }
}

/** Warnings about servers that the run started, over the path in its present state. */
export async function warningsOfStarted(
  servers: readonly Server[],
  { site, path, machine }: Pick<ExamineContext, 'site' | 'path' | 'machine'>,
): Promise<string[]> {
  const examiner = startExaminer([machine.bun, bun.examine], { enter: path.agent.enter('client') });
  try {
    const warnings = servers.map((server) => warningOfStarted(server, { site, examiner }));
    return (await Promise.all(warnings)).filter((each) => each !== null);
  } finally {
    await examiner.close();
  }
}

function reachOf(stack: Stack, { reaches }: Pick<ExamineContext, 'reaches'>) {
  const found = reaches.get(urlOf(stack) ?? '');
  if (!found) throw new Error(`${stack.stack} has no resolved address`);
  return found;
}
