/** What is known of a site's page before it is loaded. */
export interface SiteFacts {
  site: string;
  url: string;
  /** Where the page comes from, as a sentence. */
  source: string;
  kind: string;
  hosts: number;
  /** Objects that the page consists of. */
  resources: number;
  /** Of all bodies as sent. */
  wireBytes: number;
}
