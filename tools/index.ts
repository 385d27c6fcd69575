import type { Tool } from './tool.ts';

/** Every command that measures nothing, in the order of the help. */
const TOOLS: Readonly<Record<string, () => Promise<Tool>>> = {
  record: async () => (await import('./record/tool.ts')).record,
  import: async () => (await import('./sites/import-tool.ts')).importTool,
  export: async () => (await import('./sites/export-tool.ts')).exportTool,
  sites: async () => (await import('./sites/sites-tool.ts')).sites,
  report: async () => (await import('./results/report-tool.ts')).report,
  merge: async () => (await import('./results/merge-tool.ts')).merge,
  packets: async () => (await import('./packets/tool.ts')).packets,
  open: async () => (await import('./by-hand/open-tool.ts')).open,
  serve: async () => (await import('./by-hand/serve-tool.ts')).serve,
  get: async () => (await import('./by-hand/get-tool.ts')).get,
  network: async () => (await import('./by-hand/network-tool.ts')).network,
  doctor: async () => (await import('./doctor/tool.ts')).doctor,
};

/** undefined: no such tool. */
export async function loadTool(name: string): Promise<Tool | undefined> {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name]?.() : undefined;
}

export async function loadTools(): Promise<Readonly<Record<string, Tool>>> {
  const all = Object.entries(TOOLS).map(async ([each, load]) => [each, await load()] as const);
  return Object.fromEntries(await Promise.all(all));
}
