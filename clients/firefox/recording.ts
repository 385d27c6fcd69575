import { monotonicMs } from '../../ground/system/node-clock.ts';
import type { Failure } from '../load-failure.ts';
import type { BidiEvent, BidiSession } from './bidi.ts';
import type { FirefoxContext } from './user-context.ts';

/** Fields of the events that are read here. */
export interface EventParams {
  context: string | null;
  parent?: string | null;
  url?: string;
  message?: string;
  request?: { request: string; url: string; method: string };
  response?: { status: number };
}

/** Events of a tab and its frames, and how its navigations end. */
export interface Recording {
  /** Navigations of the tab, and responses to the tab and its frames, in order of arrival. */
  events: BidiEvent[];
  /** Resolves at the next load event of the tab's page with null, or with the failure. */
  nextEnd(): Promise<Failure | null>;
  loadedMs(): number | null;
  dialogs(): number;
  stop(): void;
}

/** Twice the number of requests that a HAR may have. */
const MOST_EVENTS = 10_000;

const RESPONSE = 'network.responseCompleted';

/** Events of which a HAR has the times. */
const NAVIGATION = /^browsingContext\.(navigationStarted|domContentLoaded|load)$/;

/** Records a tab from now on, until it is closed or the recording stops. */
export function startRecording({
  session,
  context: tab,
}: Pick<FirefoxContext, 'context'> & { session: Pick<BidiSession, 'listen'> }): Recording {
  const events: BidiEvent[] = [];
  const frames = new Set([tab]);
  let loadedMs: number | null = null;
  let dialogs = 0;
  let end: ((failure: Failure | null) => void) | null = null;

  const follow = (method: string, { url = '', message }: EventParams) => {
    const isOwnPage = url.startsWith('about:');
    if (method === 'browsingContext.load' && !isOwnPage) {
      loadedMs = monotonicMs();
      end?.(null);
    }
    if (method === 'browsingContext.navigationCommitted' && url.startsWith('about:tabcrashed')) {
      end?.({ code: 'page-crashed', message: 'The page crashed in Firefox.' });
    }
    // Without a message, a script of the page has begun another navigation.
    if (method === 'browsingContext.navigationFailed' && message !== undefined) {
      end?.({ code: 'navigation-failed', message: `Firefox: ${message} at ${url}` });
    }
  };

  const stop = session.listen((event) => {
    const { method } = event;
    const params = event.params as EventParams;
    const { context, parent } = params;
    if (method === 'browsingContext.contextCreated' && context && parent && frames.has(parent)) {
      frames.add(context);
    }
    // Responses to shared workers have no context; before the navigation they are another page's.
    if (context === null ? end === null : !frames.has(context)) return;
    const isKept = method === RESPONSE || (context === tab && NAVIGATION.test(method));
    if (isKept && events.length < MOST_EVENTS) events.push(event);
    if (context === tab) follow(method, params);
    if (method === 'browsingContext.userPromptOpened') dialogs += 1;
    if (method === 'browsingContext.contextDestroyed' && context !== null) {
      frames.delete(context);
      if (context === tab) stop();
    }
  });

  return {
    events,
    nextEnd: () =>
      new Promise((resolve) => {
        end = resolve;
      }),
    loadedMs: () => loadedMs,
    dialogs: () => dialogs,
    stop,
  };
}
