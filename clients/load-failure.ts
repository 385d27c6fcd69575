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

/** Why a load failed. */
export interface Failure {
  code: FailureCode;
  message: string;
}
