/** A browser for each of some servers. */
interface KeptBrowsers<Running> {
  /**
   * The browsers by name of the arm; the first call starts all of them together, so that they age alike.
   * @throws the first start error, after closing the browsers that did start
   */
  started(): Promise<Map<string, Running>>;
  close(): Promise<void>;
}

/** Browsers of some servers, started on first use. */
export function keptBrowsers<
  Server extends { stack: { stack: string } },
  Running extends { close(): Promise<void> },
>(servers: readonly Server[], start: (server: Server) => Promise<Running>): KeptBrowsers<Running> {
  let starting: Promise<Map<string, Running>> | null = null;
  return {
    started() {
      starting ??= startAll(servers, start);
      return starting;
    },
    async close() {
      const started = starting;
      starting = null;
      const running = await started?.catch(() => new Map<string, Running>());
      await Promise.all([...(running?.values() ?? [])].map((each) => each.close()));
    },
  };
}

async function startAll<
  Server extends { stack: { stack: string } },
  Running extends { close(): Promise<void> },
>(
  servers: readonly Server[],
  start: (server: Server) => Promise<Running>,
): Promise<Map<string, Running>> {
  const starting = servers.map(
    async (server) => [server.stack.stack, await start(server)] as const,
  );
  const starts = await Promise.allSettled(starting);
  const running = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (running.length < starts.length) await Promise.all(running.map(([, each]) => each.close()));
  return new Map(await Promise.all(starting));
}
