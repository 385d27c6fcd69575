import type { Check, Finding } from '../check.ts';
import { type ProgramOutput, programOutput } from '../program-output.ts';
import { foundBySetUp, SET_UP } from '../set-up-files.ts';

/** The browser that loads the pages. */
export const chromium: Check = {
  name: 'Chromium',
  async run() {
    const given = process.env.CHROMIUM_PATH;
    const program = given || foundBySetUp().chromium;
    return judgeChromium(program, program ? await programOutput(program, ['--version']) : null);
  },
};

/** @param version what the program says of itself; null: none is known */
export function judgeChromium(program: string | undefined, version: ProgramOutput | null): Finding {
  const remedy = `${SET_UP} (it finds or installs one), or set CHROMIUM_PATH to a Chromium or Chrome binary`;
  if (!program || version === null) {
    return { status: 'lack', found: 'not looked for yet: set-up has not run', remedy };
  }
  if (!version.ok) return { status: 'lack', found: `${program}: ${version.reason}`, remedy };
  const number = /\d+(\.\d+)+/.exec(version.output)?.[0] ?? version.output;
  return { status: 'ok', found: `${number}, ${program}` };
}
