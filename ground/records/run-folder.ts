import path from 'node:path';

/** Where everything of one run lies below its folder, results/<run-id>; the attempts lie in the file that run.json names. */
export function runFolder(folder: string) {
  return {
    folder,
    run: path.join(folder, 'run.json'),
    invocations: path.join(folder, 'invocations.jsonl'),
    looks: path.join(folder, 'looks.jsonl'),
    calibrations: path.join(folder, 'calibrations.jsonl'),
    /** The recorded links of its conditions, by their names. */
    traces: path.join(folder, 'traces'),
    har: path.join(folder, 'har'),
    /** What the link carried of single attempts. */
    link: path.join(folder, 'link'),
    packets: path.join(folder, 'packets'),
    tcpInfo: path.join(folder, 'tcp-info'),
    netLog: path.join(folder, 'net-log'),
    qlog: path.join(folder, 'qlog'),
    /** What looking at programs told (--profile). */
    profiles: path.join(folder, 'profiles'),
    /** What the captures tell: of each attempt, of each packet, of each connection. */
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
