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
import { examine, type ServerDescription } from './examine.ts';
import { listenersOf } from './listeners.ts';
import type { Reaches } from './reach.ts';

/** Where servers that run already are asked, and what for. */
interface ExamineContext {
  site: SiteToLoad;
  reaches: Reaches;
  path: Pick<Path, 'agent' | 'apply'>;
  machine: Pick<Machine, 'bun'>;
  choices: Pick<RunChoices, 'tlsMost'>;
  signal: AbortSignal;
}

/**
 * A server that runs already, as those are handed on that the run has started.
 * @throws ServerError when it does not answer as one of the site
 */
export async function ownServer(stack: Stack, servers: ExamineContext): Promise<Server> {
  const { ip, port, isHere } = reachOf(stack, servers);
  const { spkiPins, ...shown } = await describeServer(stack, servers);
  const listeners = isHere ? await listenersOf(servers.path.agent, stack.protocol) : null;
  return {
    stack,
    origins: Object.fromEntries(servers.site.hosts.map((host) => [host, `${ip}:${port}`])),
    details: {},
    shown: { ...shown, isHere },
    pid: listeners?.find((each) => each.port === port)?.pid ?? null,
    spkiPins,
    follow: () => () => {},
    // Nothing tells but asking, which no attempt waits for.
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

/** Takes the network of the last attempt off a path: what that does to a server's answers is no fault of the server. */
export function clearPath(path: Pick<Path, 'apply'>): Promise<void> {
  return path.apply({ ...NOTHING_ADDED, seed: 0 });
}

/** The most that an examination may take: of a server that answers slowly, resource by resource. */
const LIMIT_MS = 120_000;

/**
 * Asks a server that runs already what it is, over the path as it is: clearPath() first.
 * @throws ServerError when it does not answer as one of the site
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
        `${stack.stack} at ${url} cannot be measured. Expected its answers within ${LIMIT_MS / 1000} s, got fewer.`,
        stack.stack,
      );
    };
    return await withDeadline(examining, LIMIT_MS, late, signal);
  } finally {
    await examiner.close();
  }
}

function reachOf(stack: Stack, { reaches }: Pick<ExamineContext, 'reaches'>) {
  const found = reaches.get(urlOf(stack) ?? '');
  if (!found) throw new Error(`nobody looked up where ${stack.stack} is`);
  return found;
}
