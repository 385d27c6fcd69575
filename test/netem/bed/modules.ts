import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A kernel module, ready to be loaded. */
export interface KernelModule {
  name: string;
  content: Buffer;
}

/** The wanted modules among these files and all their dependencies, in dependency order. */
export function modulesInLoadOrder(
  wanted: readonly string[],
  files: readonly string[],
): KernelModule[] {
  const fileOf = new Map(files.map((file) => [moduleName(file), file]));
  const loaded = new Map<string, KernelModule>();
  const add = (name: string) => {
    const file = fileOf.get(name);
    if (file === undefined || loaded.has(name)) return; // Missing: built into this kernel.
    const content = contentOf(file);
    for (const needed of dependenciesOf(content)) add(needed);
    loaded.set(name, { name, content });
  };
  for (const name of wanted) add(name);
  return [...loaded.values()];
}

/** The names in a module's `depends=` line, which the build leaves in it as text. */
function dependenciesOf(content: Buffer): string[] {
  const start = content.indexOf('\0depends=');
  if (start < 0) return [];
  const line = content.toString('latin1', start + 1, content.indexOf(0, start + 1));
  return line.slice('depends='.length).split(',').filter(Boolean).map(moduleName);
}

/** A module's name as the kernel spells it. */
function moduleName(file: string): string {
  return file
    .replace(/^.*\//, '')
    .replace(/\.ko(\.xz)?$/, '')
    .replaceAll('-', '_');
}

function contentOf(file: string): Buffer {
  if (!file.endsWith('.xz')) return readFileSync(file);
  return execFileSync('xz', ['--decompress', '--stdout', file], { maxBuffer: 64 << 20 });
}
