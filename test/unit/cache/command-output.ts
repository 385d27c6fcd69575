/** Where a command of the cache writes. */
interface Output {
  print: (line: string) => void;
  complain: (line: string) => void;
}

/** Runs a command, and gives its exit status with what it printed and what it complained of. */
export async function outputOf(command: (output: Output) => Promise<number>) {
  const lines: string[] = [];
  const errors: string[] = [];
  const status = await command({
    print: (line) => lines.push(line),
    complain: (line) => errors.push(line),
  });
  return { status, lines, out: lines.join('\n'), errors: errors.join('\n') };
}
