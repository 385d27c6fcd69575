import { DIALOG_OPENED } from '../dialogs.ts';

/** One event of a Chrome DevTools Protocol session. */
export interface CdpEvent {
  method: string;
  params: unknown;
}

/** Events of a page's own session and of its cross-site frames that a HAR needs. */
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

/** Events of the page's own session only: load events of frames are not the page's. */
export const PAGE_EVENTS = [
  'Page.domContentEventFired',
  'Page.loadEventFired',
  DIALOG_OPENED,
] as const;
