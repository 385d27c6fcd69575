/** Planned against done. A further attempt at a load is not counted here. */
export interface Progress {
  plannedPageLoads: number;
  donePageLoads: number;
  plannedWarmups: number;
  doneWarmups: number;
  /** False when the run ended before its plan did. */
  complete: boolean;
}
