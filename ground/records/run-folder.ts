import path from 'node:path';

/** Paths in a run's folder, results/<run-id>. run.json names the file of the attempts. */
export function runFolder(folder: string) {
  return {
    folder,
    run: path.join(folder, 'run.json'),
    invocations: path.join(folder, 'invocations.jsonl'),
    looks: path.join(folder, 'looks.jsonl'),
    calibrations: path.join(folder, 'calibrations.jsonl'),
    /** Recorded links of the conditions, by name. */
    traces: path.join(folder, 'traces'),
    har: path.join(folder, 'har'),
    /** Films of loads (--film). */
    films: path.join(folder, 'films'),
    /** Samples of the link during attempts. */
    link: path.join(folder, 'link'),
    packets: path.join(folder, 'packets'),
    tcpInfo: path.join(folder, 'tcp-info'),
    netLog: path.join(folder, 'net-log'),
    qlog: path.join(folder, 'qlog'),
    /** Profiles of programs (--profile). */
    profiles: path.join(folder, 'profiles'),
    /** Content of captures: by attempt, packet and connection. */
    packetRecords: path.join(folder, 'packets.jsonl'),
    packetTable: path.join(folder, 'packets.csv'),
    connectionTable: path.join(folder, 'wire-connections.csv'),
    logs: path.join(folder, 'logs'),
    /** In a merged run: a folder for each part, with its run.json and its logs. */
    parts: path.join(folder, 'parts'),
    summaryJson: path.join(folder, 'summary.json'),
    summaryCsv: path.join(folder, 'summary.csv'),
    conditionChangesCsv: path.join(folder, 'condition-changes.csv'),
    report: path.join(folder, 'report.html'),
  };
}
