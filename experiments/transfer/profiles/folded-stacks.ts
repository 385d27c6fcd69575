import path from 'node:path';
import type { StackSamples } from './profile.ts';

/**
 * Counts the stacks of `perf script -F comm,ip,sym,dso`. Kernel functions end with `_[k]`, as in
 * stackcollapse-perf.pl. Adjacent frames of a file without function names are merged: `[bun]`.
 */
export function foldStacks(script: string): StackSamples[] {
  const counted = new Map<string, StackSamples>();
  for (const sample of script.split('\n\n')) {
    const [head, ...lines] = sample.split('\n').filter((line) => line.trim() !== '');
    if (head === undefined) continue;
    const inner = lines.flatMap((line) => frameOf(line) ?? []);
    const frames = [head.trim(), ...inner.toReversed()].filter(
      (frame, place, all) => !(frame.startsWith('[') && frame === all[place - 1]),
    );
    const key = frames.join(';');
    const found = counted.get(key);
    if (found) found.samples += 1;
    else counted.set(key, { frames, samples: 1 });
  }
  return [...counted.values()].toSorted((a, b) => b.samples - a.samples);
}

/** Converts `ffffffff8139 schedule ([kernel.kallsyms])` to schedule_[k]. */
function frameOf(line: string): string | null {
  const [, symbol, file] = /^\s*[0-9a-f]+ (.*) \((.*)\)$/.exec(line) ?? [];
  if (symbol === undefined || file === undefined) return null;
  const isKernel = file.startsWith('[kernel') || file.startsWith('[vmlinux');
  const known = symbol !== '[unknown]';
  if (isKernel) return known ? `${withoutSeparators(symbol)}_[k]` : '[kernel]';
  if (known) return withoutSeparators(symbol);
  // Compiled at run time: perf looks for a symbol map, which does not exist.
  if (/\/perf-\d+\.map$/.test(file) || file === '//anon') return '[compiled JavaScript]';
  return `[${withoutSeparators(path.basename(file))}]`;
}

function withoutSeparators(name: string): string {
  return name.replace(/[;\s]+/g, '_');
}

/** A stack with its count per line: the format of flamegraph.pl and speedscope. */
export function foldedText(stacks: readonly StackSamples[]): string {
  return stacks.map(({ frames, samples }) => `${frames.join(';')} ${samples}\n`).join('');
}

/** Removes frames with less than a share of the samples, and counts them for their callers. */
export function prunedStacks(stacks: readonly StackSamples[], leastShare: number): StackSamples[] {
  const through = new Map<string, number>();
  let all = 0;
  for (const { frames, samples } of stacks) {
    all += samples;
    for (let depth = 1; depth <= frames.length; depth += 1) {
      const key = frames.slice(0, depth).join(';');
      through.set(key, (through.get(key) ?? 0) + samples);
    }
  }
  const pruned = new Map<string, StackSamples>();
  for (const { frames, samples } of stacks) {
    const isKept = (_: string, place: number) =>
      (through.get(frames.slice(0, place + 1).join(';')) ?? 0) >= leastShare * all;
    // A frame below the share calls no frame above it.
    const kept = frames.filter(isKept);
    const key = kept.join(';');
    const found = pruned.get(key);
    if (found) found.samples += samples;
    else pruned.set(key, { frames: kept, samples });
  }
  return [...pruned.values()].toSorted((a, b) => b.samples - a.samples);
}
