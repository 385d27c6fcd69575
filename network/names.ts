import { NamesUnanswered } from '../ground/system/errors.ts';
import { type AskedName, CommandFailed, type PathAgent, type ServedNames } from './agent.ts';

export interface Names {
  /**
   * Has it know these names from now on and no others, and forget what it was asked.
   * @throws NamesUnanswered when it is gone or does not answer; the next time there is another one
   */
  serve(names: ServedNames): Promise<void>;
  /**
   * What it was asked since then.
   * @throws NamesUnanswered as serve() does
   */
  asked(): Promise<AskedName[]>;
}

export function nameServer(agent: Pick<PathAgent, 'serveNames' | 'askedNames'>): Names {
  return {
    serve: (names) => agent.serveNames(names).catch(unanswered),
    asked: () => agent.askedNames().catch(unanswered),
  };
}

function unanswered(error: Error): never {
  if (!(error instanceof CommandFailed)) throw error;
  throw new NamesUnanswered(
    `${error.message}. It was killed or stopped, or the machine is too busy; the next load gets another one.`,
  );
}
