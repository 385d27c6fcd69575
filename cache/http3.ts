/** How a host announces HTTP/3 to browsers. */
const ANNOUNCEMENTS = ['alt-svc', 'https-record'] as const;

/** Result of the test of one host for HTTP/3, at the recording of a page. */
export interface Http3Test {
  announcedBy: (typeof ANNOUNCEMENTS)[number][];
  /** Why it made no connection over HTTP/3; null: it made one. */
  refusal: string | null;
}

/** By host, as in the URLs of the site. */
export type Http3Tests = Record<string, Http3Test>;

/** Longer reasons are truncated. */
export const LONGEST_REFUSAL = 500;

/** Whether browsers use HTTP/3 with the host. */
export function speaksHttp3(test: Http3Test | undefined): boolean {
  return test !== undefined && test.refusal === null && test.announcedBy.length > 0;
}

/** The first problem of a manifest's tests for HTTP/3, or null. */
export function problemOfHttp3(tests: unknown, hosts: readonly string[]): string | null {
  if (typeof tests !== 'object' || tests === null || Array.isArray(tests)) {
    return 'http3 is not an object of hosts';
  }
  for (const [host, test] of Object.entries(tests)) {
    if (!hosts.includes(host)) return `http3 has ${host}, which is not a host of the site`;
    const { announcedBy, refusal } = (test ?? {}) as Partial<Http3Test>;
    if (!isAnnouncement(announcedBy)) {
      return `http3 of ${host}: announcedBy is not a list of ${ANNOUNCEMENTS.join(' and ')}`;
    }
    const isText = typeof refusal === 'string' && refusal.length <= LONGEST_REFUSAL;
    if (!isText && refusal !== null) {
      return `http3 of ${host}: refusal is not null or a text of at most ${LONGEST_REFUSAL} characters`;
    }
  }
  return null;
}

function isAnnouncement(value: unknown): value is Http3Test['announcedBy'] {
  if (!Array.isArray(value) || new Set(value).size < value.length) return false;
  return value.every((each) => ANNOUNCEMENTS.includes(each));
}
