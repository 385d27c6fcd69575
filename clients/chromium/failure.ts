/** Codes of loads that did not come to their end. */
export type FailureCode =
  | 'timeout'
  | 'navigation-failed'
  | 'page-broken'
  | 'page-crashed'
  | 'browser-failed'
  | 'browser-hung'
  | 'network-failed'
  | 'names-unanswered'
  | 'earlier-load-failed'
  | 'codec-unsupported'
  | 'player-failed'
  | 'har-failed'
  | 'packets-failed';

/** Why a load did not come to its end. */
export interface Failure {
  code: FailureCode;
  message: string;
}
