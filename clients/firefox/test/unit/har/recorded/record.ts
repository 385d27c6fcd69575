/**
 * Makes the recordings in this folder anew, by loads of a small page in the Firefox that set-up found:
 *
 *   node clients/firefox/test/unit/har/recorded/record.ts
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inBrowser, splitBrowser } from '../../../../../../ground/stack.ts';
import { NOTHING_ADDED } from '../../../../../../network/conditions.ts';
import { browserOfMachine } from '../../../../../../runner/machine.ts';
import { STACKS } from '../../../../../../servers/index.ts';
import { withPathBench } from '../../../../../../test/e2e/path-bench.ts';
import type { FixtureResource } from '../../../../../../test/e2e/site-fixture.ts';
import type { BidiEvent } from '../../../../bidi.ts';
import { type ChannelFacts, factsOf } from '../../../../channel-facts.ts';
import { runFirefox } from '../../../../firefox.ts';

const MAIN = 'https://www.example.org';
const OTHER = 'https://static.example.org';
const FILES: Readonly<Record<string, string>> = {
  'lsquic-h3': 'h3.json',
  'bun-h2': 'h2.json',
  'flask-h1': 'h1.json',
};

const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    status: 302,
    headers: [
      ['location', '/home'],
      ['set-cookie', 'step=1; Secure'],
    ],
  },
  {
    url: `${MAIN}/home`,
    type: 'document',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1; Secure; HttpOnly'],
      ['set-cookie', 'b=2; Path=/'],
    ],
    body: `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css?x=1|2">
<img src="${OTHER}/moved.svg"><img src="https://nowhere.example.org/gone.png">
<iframe src="${OTHER}/frame"></iframe><script>
  const headers = { 'content-type': 'application/json' };
  fetch('/json', { method: 'POST', headers, body: '{"q":"é"}' });
  fetch('${OTHER}/refused', { method: 'POST', headers, body: '{}' }).catch(() => {});
  fetch('/kept').then((kept) => kept.text()).then(() => fetch('/kept'));
</script>${'<p>a line that compresses well'.repeat(300)}`,
    gzip: true,
  },
  {
    url: `${MAIN}/style.css?x=1|2`,
    type: 'stylesheet',
    headers: [['content-type', 'text/css']],
    body: 'body { background: url(/dot.svg) }',
  },
  ...[`${MAIN}/dot.svg`, `${MAIN}/dot.svg?moved`].map((url) => ({
    url,
    type: 'image' as const,
    headers: [['content-type', 'image/svg+xml']] as [string, string][],
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  })),
  {
    url: `${OTHER}/moved.svg`,
    type: 'image',
    status: 301,
    headers: [['location', `${MAIN}/dot.svg?moved`]],
  },
  {
    url: `${OTHER}/frame`,
    type: 'iframe',
    headers: [['content-type', 'text/html']],
    body: '<p>frame',
  },
  {
    url: `${MAIN}/json`,
    method: 'POST',
    type: 'xhr',
    headers: [['content-type', 'application/json']],
    body: '{"ok":true}',
  },
  {
    url: `${MAIN}/kept`,
    type: 'xhr',
    headers: [
      ['content-type', 'text/plain'],
      ['cache-control', 'max-age=3600'],
    ],
    body: 'kept',
  },
];

await withPathBench(
  RESOURCES,
  async ({ servers, networkPath }) => {
    await networkPath.apply({ ...NOTHING_ADDED, rttMs: 20, seed: 1 });
    for (const server of servers) {
      const settings = { enter: networkPath.agent.enter('client') };
      const firefox = browserOfMachine('firefox');
      const { session, privileged, close } = await runFirefox({ ...server, firefox }, settings);
      try {
        const { userContext } = await session.send<{ userContext: string }>(
          'browser.createUserContext',
        );
        const events: BidiEvent[] = [];
        session.listen(({ method, params }) => events.push({ method, params }));
        const { context } = await session.send<{ context: string }>('browsingContext.create', {
          type: 'tab',
          userContext,
        });
        const id = await privileged<number>('gBrowser.tabs.at(-1).userContextId');
        await session.send('browsingContext.navigate', {
          context,
          url: `${MAIN}/`,
          wait: 'complete',
        });
        await sleep(500);
        const channels = await privileged<ChannelFacts[]>(factsOf(id));
        const file = path.join(
          import.meta.dirname,
          FILES[splitBrowser(server.stack.stack)[0]] ?? '',
        );
        const read = /^browsingContext\.(navigationStarted|domContentLoaded|load)$/;
        const record = { events: events.filter(({ method }) => read.test(method)), channels };
        // One line for each event and channel.
        const text = JSON.stringify(record).replaceAll(/(?<=[[,])(?={"(method|firstId)":)/g, '\n');
        await writeFile(file, `${text}\n`);
      } finally {
        await close();
      }
    }
  },
  {
    stacks: STACKS.filter(({ stack }) => stack in FILES).map((stack) =>
      inBrowser(stack, 'firefox'),
    ),
    chromium: '',
  },
);
