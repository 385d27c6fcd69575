import type { Observation } from '../../ground/records/observation.ts';
import type { PlannedSubject } from '../../ground/records/run.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import type { PageLoadDetails } from './details.ts';

type Site = Pick<PlannedSubject, 'subject' | 'url' | 'kind'>;

/** What to do about sites of which every load that ended is invalid for the same resource: a sentence for each. */
export function remediesOfPageLoads(
  loads: readonly Observation[],
  sites: readonly Site[],
): string[] {
  const loadsOf = Map.groupBy(
    // What failed, or was never made, says nothing about the page.
    loads.filter(({ outcome }) => outcome === 'ok' || outcome === 'invalid'),
    ({ subject }) => subject,
  );
  return sites.flatMap((site) => {
    const ended = loadsOf.get(site.subject) ?? [];
    const [url, ...others] = blamedByAll(ended);
    if (url === undefined) return [];
    const codes = [...new Set(ended.map(({ code }) => code))].join(', ');
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return [
      `No load of ${site.subject} is ok: all that ended are invalid (${codes}) for the same, ${url}${more}. ${remedyOf(site, [url, ...others])}`,
    ];
  });
}

/** The resources for which each of the loads is invalid. */
function blamedByAll(loads: readonly Observation[]): string[] {
  const blamed = loads.map(({ details }) => (details as PageLoadDetails | null)?.blamed ?? []);
  const [first = [], ...others] = blamed;
  return first.filter((url) => others.every((urls) => urls.includes(url)));
}

function remedyOf({ subject, url, kind }: Site, blamed: readonly string[]): string {
  if (kind !== 'imported' && kind !== 'recorded') {
    return `\`npm run sites -- verify ${shellWord(subject)}\` tells whether its files are damaged; \`npm run setup\` makes the project's own sites again, one of yours has to be imported again.`;
  }
  // Nothing but an imported site is ever replaced by an import.
  const name = kind === 'imported' ? ` --name ${shellWord(subject)}` : '';
  return `Record the page anew: \`npm run record -- ${shellWord(url)}\`. Or make the site without ${blamed.length === 1 ? 'this resource' : 'these resources'}: \`npm run export -- ${shellWord(subject)} --to har\`, then \`npm run import -- ${shellWord(`exports/${subject}.har`)}${name} --without ${shellWord(blamed.join(','))}\`.`;
}
