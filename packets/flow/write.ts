import path from 'node:path';
import { writeWhole } from '../../ground/records/whole-file.ts';
import { type Flow, flowJson, readFlow } from './flow.ts';
import { flowPage, type PageSection } from './page.ts';

/** A capture that is to be drawn; those of one label are loads of one stack. */
interface LabelledCapture {
  file: string;
  label: string;
  keyLogFile?: string;
}

/** What stands above the charts. */
interface FlowHeading {
  title?: string;
  /** What was captured: site, network, when. */
  about?: string;
  /** Sections behind the charts. */
  more?: readonly PageSection[];
}

/**
 * Reads captures, draws them on one page, and writes the sequence of each beside it (`NAME.flow.json`).
 * @returns the files written, the page first
 * @throws what readCapture() throws
 */
export async function writeFlowPage(
  captures: readonly LabelledCapture[],
  out: string,
  { title = 'What went over the wire', about, more = [] }: FlowHeading = {},
): Promise<string[]> {
  const byLabel = new Map<string, Flow[]>();
  const files = [out];
  for (const { file, label, keyLogFile } of captures) {
    const flow = await readFlow(file, { keyLogFile });
    byLabel.set(label, [...(byLabel.get(label) ?? []), flow]);
    const json = path.join(path.dirname(out), `${flow.name}.flow.json`);
    await writeWhole(json, flowJson(flow));
    files.push(json);
  }
  const stacks = [...byLabel].map(([label, loads], place) => ({ label, place, loads }));
  const names = captures.map(({ file }) => path.basename(file)).join(', ');
  await writeWhole(out, flowPage({ title, about: about ?? names, stacks, more }));
  return files;
}
