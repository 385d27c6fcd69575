/** One thing that a benchmark needs or that decides how well it measures. */
export interface Check {
  /** A few words, the same in every line and every report of trouble. */
  name: string;
  /** Looks at this machine; takes seconds at most and changes nothing that stays. */
  run(): Finding | Promise<Finding>;
}

/** What a check found. */
export interface Finding {
  /** `lack`: no benchmark can run. `note`: it runs, but with less, or numbers may suffer. */
  status: 'ok' | 'note' | 'lack';
  found: string;
  /** What to do about it; every lack has one. */
  remedy?: string;
}

/** Checks under one heading. */
export interface CheckGroup {
  title: string;
  checks: readonly Check[];
}

/** A check with its outcome. */
export type CheckResult = Finding & { name: string };

/** Runs a check; one that fails has found nothing out, which is worth a note and stops nothing. */
export async function runCheck(check: Check): Promise<CheckResult> {
  try {
    return { name: check.name, ...(await check.run()) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { name: check.name, status: 'note', found: `could not be determined: ${message}` };
  }
}
