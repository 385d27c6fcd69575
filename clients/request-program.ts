import { collectTail } from '../ground/system/bounded-body.ts';
import { LINE_BYTES, textLines } from '../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../ground/system/child-process.ts';
import { type ProgramNeeds, withoutRights } from '../ground/system/unprivileged-user.ts';

/** A program that does what it is asked, one after the other. */
export interface RequestProgram<Request, Response> {
  pid: number;
  /** @throws Error when the program has ended */
  ask(asked: Request): Promise<Response>;
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;

/** Starts a program, without rights, that prints an answer, a line of JSON, for each line on its stdin, JSON too. */
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
  // Written to after its end: ask tells that it has ended.
  stdin.on('error', () => {});
  return {
    pid: child.process.pid ?? 0,
    async ask(asked) {
      stdin.write(`${JSON.stringify(asked)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The connecting client ended (${await child.ended}). ${said()}`);
      return JSON.parse(value) as Response;
    },
    close: () => child.stop(CLOSE_MS),
  };
}
