import { createInterface } from 'node:readline';

/**
 * Runs a server program: it listens as configured by the first line of stdin, a line of JSON,
 * prints that it is ready, answers each further line by one, and ends with its stdin.
 */
export async function runProgram<Configuration>(
  listen: (configuration: Configuration) => Promise<void>,
  answer: (line: string) => unknown = () => null,
): Promise<void> {
  process.on('SIGTERM', () => process.exit(0));
  let isReady = false;
  for await (const line of createInterface(process.stdin)) {
    if (isReady) {
      print(answer(line));
      continue;
    }
    try {
      await listen(JSON.parse(line) as Configuration);
    } catch (error) {
      console.error((error as Error).message);
      process.exit(1);
    }
    isReady = true;
    print({ ready: true });
  }
  process.exit(0);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
