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

/** Whether there is no page left to evaluate. */
export function isOver(failure: Failure | null): boolean {
  return failure !== null && ['page-crashed', 'browser-failed'].includes(failure.code);
}

export function timeout(timeoutS: number): Failure {
  return { code: 'timeout', message: `The page fired no load event within ${timeoutS} s.` };
}

/** A page that is loaded, but stuck in a script. */
export const SILENT_PAGE: Failure = {
  code: 'timeout',
  message: 'The page fired its load event, but did not report its timings.',
};

/** Failure of a load whose earlier load failed. */
export function earlierLoadFailure({ code, message }: Failure): Failure {
  return {
    code: 'earlier-load-failed',
    message: `The load before the measured one failed (${code}): ${message}`,
  };
}
