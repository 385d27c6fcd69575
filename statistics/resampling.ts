export interface Resampling {
  seed: number;
  resamples?: number;
}

export const RESAMPLES = 10_000;
