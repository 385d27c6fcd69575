/** Properties of a load that its HAR repeats. */
export interface LoadDescription {
  site: string;
  stack: string;
  /** URL of the navigation. */
  url: string;
  comment: string;
  browserVersion: string;
  creatorVersion: string;
}
