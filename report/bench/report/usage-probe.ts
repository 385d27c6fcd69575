/** Loaded before a program with --import: writes what the whole process took to file descriptor 3 when it ends. */
import { writeSync } from 'node:fs';

/** The file descriptor on which the program that started this one listens. */
const USAGE_DESCRIPTOR = 3;

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuS = (userCPUTime + systemCPUTime) / 1e6;
  writeSync(USAGE_DESCRIPTOR, JSON.stringify({ cpuS, peakRssMb: maxRSS / 1024 }));
});
