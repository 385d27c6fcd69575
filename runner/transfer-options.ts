import type { RunValues } from '../options/benchmark.ts';
import type { RunChoices } from '../records/run.ts';

/** What holds for all transfers of a run. */
export function transferChoicesOf(
  values: RunValues,
  client: string,
): NonNullable<RunChoices['transfers']> {
  return {
    direction: values.upload ? 'upload' : 'download',
    client,
    streamWindowBytes: values['stream-window'],
    receiveWindowBytes: values['receive-window'],
    explains: values.explain,
    ...(values.profile.length > 0 && { profiles: values.profile }),
  };
}
