// Stands in for probe.py: started as `node fake-probe.mjs MODE NAMESPACE python ... probe.py COMMAND ARGUMENTS`.
const [mode, namespace, ...rest] = process.argv.slice(2);
const [command, ...args] = rest.slice(rest.findIndex((arg) => arg.endsWith('probe.py')) + 1);

if (command === 'serve') {
  if (mode === 'no-server') {
    console.error('OSError: Cannot assign requested address');
    process.exit(1);
  }
  console.log(JSON.stringify({ ready: true, udpPort: 1001, tcpPort: 1002 }));
  process.stdin.resume().on('end', () => process.exit(0));
} else if (mode === 'dead-path') {
  console.log(JSON.stringify({ error: 'only 0 of 50 UDP probes to 198.18.1.1 came back' }));
  process.exit(1);
} else if (mode === 'crash') {
  console.error('Traceback\nSyntaxError: nothing works');
  process.exit(1);
} else if (mode === 'hang') {
  setInterval(() => {}, 1000);
} else if (command === 'treatment') {
  const datagrams = {
    sent: 40,
    packets: 30,
    kbps: 990,
    offeredKbps: 1500,
    durationMs: 250,
    pausedMs: 5,
  };
  console.log(
    JSON.stringify({
      toServer: datagrams,
      toClient: datagrams,
      refusal: args.join(' '),
      tcpKbps: null,
    }),
  );
} else {
  const limited = (name) =>
    args.includes(name) && {
      kbps: 990,
      offeredKbps: 1500,
      packets: 30,
      durationMs: 250,
      pausedMs: 5,
    };
  // As in `29,30,31`; other modes use those.
  const times = /^[\d.,]+$/.test(mode) ? mode.split(',').map(Number) : [29, 30, 31];
  console.log(
    JSON.stringify({
      namespace,
      args,
      udpRttMs: times,
      tcpRttMs: times,
      tcpConnectMs: times,
      toServerMs: [15],
      toClientMs: [16],
      udpProbes: 52,
      udpProbesLost: 2,
      down: limited('--down') || null,
      up: limited('--up') || null,
    }),
  );
}
