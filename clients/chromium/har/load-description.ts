/** What a HAR says about the load it was made of. */
export interface LoadDescription {
  site: string;
  stack: string;
  /** The URL asked for. */
  url: string;
  comment: string;
  browserVersion: string;
  creatorVersion: string;
}
