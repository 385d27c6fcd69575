/** How a bootstrap is made. */
export interface Resampling {
  seed: number;
  resamples?: number;
}

export const RESAMPLES = 10_000;
