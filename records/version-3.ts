/** A record as it was read, of any kind. */
type Raw = Record<string, unknown>;

/**
 * A record of format 3 as one of format 4; anything else as it is. Loads of format 3 were made in a browser process each, and
 * their handshakes were counted by the browser, which tells no connections.
 */
export function fromVersion3(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  const raw = record as Raw;
  if (raw.formatVersion !== 3) return record;
  const upgraded: Raw = { ...raw, formatVersion: 4 };
  if ('harnessMs' in raw) return loadFromVersion3(upgraded);
  if ('choices' in raw) upgraded.choices = choicesFromVersion3(raw.choices as Raw);
  return upgraded;
}

function loadFromVersion3({ handshakes: _, harnessMs, ...load }: Raw): Raw {
  const steps = harnessMs as Record<'launch' | 'prepare' | 'har' | 'tearDown', number> & Raw;
  return {
    ...load,
    ...{ browser: null, connections: null },
    machine: load.machine && { runnerCpuMs: null, ...load.machine },
    path: load.path && { ...load.path, linkCpuMs: null },
    harnessMs: {
      prepare: steps.launch + steps.prepare,
      ...{ earlierLoad: steps.earlierLoad, load: steps.load, settle: steps.settle },
      judge: steps.har,
    },
  };
}

function choicesFromVersion3({ netLog: _, ...choices }: Raw): Raw {
  return { ...choices, isolation: 'process' };
}
