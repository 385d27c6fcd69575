import { setTimeout as sleep } from 'node:timers/promises';

/** A body of a connection that is sent piece by piece. */
export interface PendingBody {
  priority: Priority;
  /** Sends the next piece; resolves when the connection has taken it, to whether the body has more. */
  sendPiece(): Promise<boolean>;
}

/** Parameters of a response (RFC 9218, section 4). */
export interface Priority {
  /** 0, the most urgent, to 7. */
  urgency: number;
  isIncremental: boolean;
}

/** A body whose piece is not taken by then waits for its own flow control, and does not hold up the rest. */
const MOST_WAIT_MS = 250;

const DEFAULT_URGENCY = 3;

/** Priority in the `priority` field of a request. */
export function priorityOf(field: string | undefined): Priority {
  const [, urgency = DEFAULT_URGENCY] = /(?:^|,)\s*u=([0-7])\s*(?:[,;]|$)/.exec(field ?? '') ?? [];
  return {
    urgency: Number(urgency),
    isIncremental: /(?:^|,)\s*i(?:=\?1)?\s*(?:[,;]|$)/.test(field ?? ''),
  };
}

/**
 * Schedule of one connection: returns a function that adds a body. Of the pending bodies the most urgent is sent first; of equally
 * urgent ones, those that are not incremental, one after the other, then the incremental ones in turn.
 */
export function scheduleBodies(mostWaitMs = MOST_WAIT_MS): (body: PendingBody) => void {
  const pending: { body: PendingBody; turn: number }[] = [];
  let turns = 0;
  let isSending = false;
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    for (;;) {
      const [next] = pending.sort(compare);
      if (!next) break;
      pending.shift();
      const { body } = next;
      const sent = body.sendPiece().then((hasMore) => {
        if (!hasMore) return;
        if (body.priority.isIncremental) next.turn = turns++;
        pending.push(next);
        void sendAll();
      });
      const waiting = new AbortController();
      await Promise.race([sent, sleep(mostWaitMs, null, waiting).catch(() => {})]);
      waiting.abort();
    }
    isSending = false;
  };
  return (body) => {
    pending.push({ body, turn: turns++ });
    void sendAll();
  };
}

type Entry = { body: PendingBody; turn: number };

function compare(a: Entry, b: Entry): number {
  const [p, q] = [a.body.priority, b.body.priority];
  return (
    p.urgency - q.urgency || Number(p.isIncremental) - Number(q.isIncremental) || a.turn - b.turn
  );
}
