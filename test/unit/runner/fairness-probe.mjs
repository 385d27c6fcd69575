// Stands in for probe.py: started as `node fairness-probe.mjs NAMESPACE python ... probe.py COMMAND ARGUMENTS`.
const [, ...rest] = process.argv.slice(2);
const command = rest[rest.findIndex((arg) => arg.endsWith('probe.py')) + 1];

if (command === 'serve') {
  console.log(JSON.stringify({ ready: true, udpPort: 1001, tcpPort: 1002 }));
  process.stdin.resume().on('end', () => process.exit(0));
} else if (command === 'connection') {
  const end = { congestionControl: 'cubic', sndMss: 1448, rcvMss: 536, pathMtu: 1500, sndCwnd: 10 };
  const server = { ...end, congestionControl: 'bbr', sndCwnd: 32 };
  console.log(JSON.stringify({ client: end, server }));
} else {
  console.log(
    JSON.stringify({
      settings: {
        'net/ipv4/tcp_slow_start_after_idle': '0',
        'net/ipv4/tcp_no_metrics_save': '1',
        'net/ipv4/tcp_ecn': '0',
        'net/ipv4/tcp_rmem': '4096 131072 6291456',
        'net/ipv4/tcp_wmem': '4096 16384 4194304',
        'net/core/rmem_max': null,
        'net/core/wmem_max': null,
        disable_ipv6: '1',
      },
      features: { 'tx-tcp-segmentation': false },
      udp: { receiveBufferBytes: 212992, sendBufferBytes: 212992 },
    }),
  );
}
