/** A requirement of a benchmark, or an influence on its quality. */
export interface Check {
  /** Short name in all messages. */
  name: string;
  /** Examines this machine within seconds, without lasting changes. */
  run(): Finding | Promise<Finding>;
}

/** Result of a check. */
export interface Finding {
  /** `lack`: no benchmark can run. `note`: it runs, with restrictions or less accurate numbers. */
  status: 'ok' | 'note' | 'lack';
  found: string;
  /** Remedy; always set for `lack`. */
  remedy?: string;
}

export interface CheckGroup {
  title: string;
  checks: readonly Check[];
}

export type CheckResult = Finding & { name: string };

/** Runs a check; an error in the check is only a note. */
export async function runCheck(check: Check): Promise<CheckResult> {
  try {
    return { name: check.name, ...(await check.run()) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { name: check.name, status: 'note', found: `could not be determined: ${message}` };
  }
}
