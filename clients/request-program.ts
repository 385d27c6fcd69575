import { collectTail } from '../ground/system/bounded-body.ts';
import { LINE_BYTES, textLines } from '../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../ground/system/child-process.ts';
import { type ProgramNeeds, withoutRights } from '../ground/system/unprivileged-user.ts';

/** A program that answers one request at a time. */
export interface RequestProgram<Request, Response> {
  pid: number;
  /** @throws Error if the program has ended */
  request(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;

/** Starts a program, without rights, that prints a response for each request on its stdin, one line of JSON each. */
export function startRequestProgram<Request, Response>(
  command: readonly string[],
  needs: ProgramNeeds = {},
): RequestProgram<Request, Response> {
  const [program = '', ...args] = withoutRights(command, needs);
  const child: Child = startChild(program, args);
  const { stdin, stdout, stderr } = child.process;
  if (!stdin || !stdout || !stderr) throw new Error('a program without pipes');
  const lines = textLines(stdout, { maxBytes: LINE_BYTES.own });
  const said = collectTail(stderr, 500);
  // Writes after the end fail; request() reports the end.
  stdin.on('error', () => {});
  return {
    pid: child.process.pid ?? 0,
    async request(request) {
      stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The connecting client ended (${await child.ended}). ${said()}`);
      return JSON.parse(value) as Response;
    },
    close: () => child.stop(CLOSE_MS),
  };
}
