import { harFromMessages } from 'chrome-har';
import type { AboutLoad } from './about-load.ts';
import type { CdpEvent } from './events.ts';
import { exchangesOf } from './exchanges.ts';
import type { Har } from './har.ts';
import { messagesOf } from './messages.ts';
import { repairHar } from './repair.ts';

/** The HAR of one page load: of the events (events.ts) of its sessions, merged into one list. */
export function buildHar(events: readonly CdpEvent[], about: AboutLoad): Har {
  const exchanges = exchangesOf(events);
  const raw = harFromMessages(messagesOf(exchanges, events), {
    // A response from a cache must be seen: it makes a cold load invalid.
    includeResourcesFromDiskCache: true,
  });
  return repairHar(raw, exchanges, about);
}
