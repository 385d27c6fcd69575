import { execFileSync } from 'node:child_process';
import { bun } from '../ground/runtimes/bun.ts';

/** Reads a text by Bun, which has a parser for YAML. */
export function readYaml(text: string): unknown {
  const program = 'console.log(JSON.stringify(Bun.YAML.parse(await Bun.stdin.text())))';
  return JSON.parse(execFileSync(bun.program, ['-e', program], { input: text, encoding: 'utf8' }));
}
