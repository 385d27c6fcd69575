import { DIALOG_OPENED } from '../dialogs.ts';

/** One event as a Chrome DevTools Protocol session gives it. */
export interface CdpEvent {
  method: string;
  params: unknown;
}

/** What a HAR needs of a page's own session and of the sessions of its cross-site frames. */
export const NETWORK_EVENTS = [
  'Network.requestWillBeSent',
  'Network.requestWillBeSentExtraInfo',
  'Network.responseReceived',
  'Network.responseReceivedExtraInfo',
  'Network.dataReceived',
  'Network.loadingFinished',
  'Network.loadingFailed',
  'Network.resourceChangedPriority',
  'Network.requestServedFromCache',
] as const;

/** What a record needs of the page's own session alone: a frame's load events are not the page's. */
export const PAGE_EVENTS = [
  'Page.domContentEventFired',
  'Page.loadEventFired',
  DIALOG_OPENED,
] as const;
