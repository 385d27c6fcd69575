import type { Resource } from '../../cache/manifest.ts';
import { matcherOf } from '../../cache/match.ts';
import type { Har } from './har.ts';
import type { ReplayRecord } from './records.ts';

/** How the recording answered a load's requests, by the servers' rules. */
export function replayRecordOf(har: Har, resources: readonly Resource[]): ReplayRecord {
  const match = matcherOf(resources);
  const record: ReplayRecord = { exact: 0, byQuery: [], unknown: [] };
  for (const { request, serverIPAddress, _fromCache } of har.log.entries) {
    // Failed and cached requests reached no server.
    if (serverIPAddress === undefined || _fromCache !== undefined) continue;
    const { host, pathname, search } = new URL(request.url);
    const method = methodAnswered(request);
    const found = match(method, host, `${pathname}${search}`);
    if (found.match === 'exact') record.exact++;
    else if (found.match === 'none') record.unknown.push(`${request.method} ${request.url}`);
    else record.byQuery.push({ requested: request.url, answered: found.resource.url });
  }
  return record;
}

/** HEAD counts as GET, and a CORS preflight as the request it precedes. */
function methodAnswered({ method, headers }: Har['log']['entries'][number]['request']): string {
  if (method === 'HEAD') return 'GET';
  if (method !== 'OPTIONS') return method;
  const about = headers.find(({ name }) => name.toLowerCase() === 'access-control-request-method');
  return about?.value ?? method;
}
