import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shellLine } from '../../ground/system/shell-word.ts';
import type { Resource } from '../manifest.ts';
import { type Note, noteLines } from '../notes.ts';
import type { ResponseHeaders } from '../response-headers.ts';
import type { WriteSite } from './exporter.ts';

export interface Answer {
  /** Number of the answer in the manifest, and its name in the configuration. */
  id: string;
  method: Resource['method'];
  url: string;
  host: string;
  /** Path and query of the request. */
  target: string;
  status: number;
  /** Recorded headers, without those that the server adds (such as the length). */
  headers: ResponseHeaders;
  /** Name of the body's file; null: no body. */
  file: string | null;
  bytes: Buffer;
}

export interface Configuration {
  files: ReadonlyMap<string, string | Uint8Array>;
  /** What the server does not support, by answer. */
  notes: Note[];
}

interface ServerKind {
  /** Contains `server.sh`, the server's configuration for `start.sh`. */
  folder: string;
  title: string;
  /** Stacks that `--server` can run from this folder. */
  stacks: readonly string[];
  hasBodies: boolean;
  /** Deviations from the server contract, as sentences. */
  limits: readonly string[];
  configure: (answers: readonly Answer[]) => Configuration;
}

const LIMITS = [
  'A URL whose query was not recorded gets 404. The stacks of quic-vs-https find the recorded query that is most like it.',
  'Dates (expires, last-modified, cookies) are as recorded. The stacks of quic-vs-https shift them by the time since the recording.',
  'Preflights (OPTIONS) get 404.',
  'No answer is delayed as in the recording.',
];

/** A header of every answer, with any status, as for every stack. */
export const ALT_SVC = 'h3=":443"; ma=86400';

/** Writes a folder from which a server answers a site's requests, with a program that starts it by the contract of servers/README.md. */
export function serverExporter(kind: ServerKind): WriteSite {
  const { title, stacks } = kind;
  return async ({ manifest, manifestText, bodyOf }, target) => {
    const answers = await Promise.all(
      manifest.resources.map(async (resource, index) =>
        answerOf(resource, index, await bodyOf(resource)),
      ),
    );
    const { files, notes: left } = kind.configure(answers);
    const bodies = new Map(
      answers.flatMap(({ file, bytes }) =>
        kind.hasBodies && file !== null ? [[path.join('bodies', file), bytes]] : [],
      ),
    );
    const bounced = manifest.resources.filter(({ bounces }) => bounces);
    const notes = [
      ...left,
      ...bounced.map(({ url }) => ({
        where: url,
        text: 'bounces omitted, the page itself is sent',
      })),
      ...kind.limits,
      ...LIMITS,
    ];
    const about: [string, string][] = [
      ['index.json', manifestText],
      ['README.md', readmeOf(manifest.site, kind, notes)],
    ];
    for (const [name, content] of [...about, ...files, ...bodies]) {
      const file = path.join(target, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content, { flag: 'wx' });
    }
    await copyFile(path.join(kind.folder, 'server.sh'), path.join(target, 'server.sh'));
    const start = path.join(target, 'start.sh');
    await copyFile(path.join(import.meta.dirname, 'start.sh'), start);
    await chmod(start, 0o755);
    return {
      notes,
      next: (folder) =>
        `Measure ${title}: npm run benchmark -- ${shellOptions(manifest.site, path.join(folder, 'start.sh'), stacks)}`,
    };
  };
}

function answerOf(
  { method, url, status, headers, body }: Resource,
  index: number,
  bytes: Buffer,
): Answer {
  const { host } = new URL(url);
  const typed = headers.some(([name]) => name === 'content-type');
  return {
    id: String(index),
    method,
    url,
    host,
    target: url.slice(`https://${host}`.length),
    status,
    headers: [...headers, ['alt-svc', ALT_SVC]],
    // A file name with an extension may make the server add a type that was not recorded.
    file: body === null ? null : typed ? path.basename(body) : `untyped-${index}`,
    bytes,
  };
}

/** Options of `benchmark` for a site on the server that a program starts. */
function shellOptions(site: string, program: string, stacks: readonly string[]): string {
  return shellLine(['--sites', site, '--server', program, '--stacks', stacks.join()]);
}

function readmeOf(site: string, { title, stacks }: ServerKind, notes: readonly Note[]): string {
  return `# ${site}, served by ${title}

\`start.sh\` starts ${title} with the answers in this folder, and keeps the contract of the servers of quic-vs-https:

\`\`\`sh
npm run benchmark -- ${shellOptions(site, 'DIR/start.sh', stacks)}
\`\`\`

\`server.sh\` writes the rest of the configuration (addresses, certificates, protocol) into a temporary folder when it starts. Change it as
required.

Other than the stacks of quic-vs-https, it does this:

${noteLines(notes)
  .map((line) => `- ${line}\n`)
  .join('')}`;
}
