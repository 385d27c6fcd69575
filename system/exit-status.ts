/** Exit statuses of the command line: one and the same number means the same of every command. */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  machine: 3,
  server: 4,
  network: 5,
  someLoadsNotOk: 6,
  failIf: 7,
  undecided: 8,
  interrupted: 130,
} as const;
