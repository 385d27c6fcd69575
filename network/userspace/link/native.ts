import { cc } from 'bun:ffi';

/** The link's parts in C. */
const SOURCES = [
  'bottleneck',
  'capture',
  'direction',
  'event',
  'handshake',
  'link',
  'ports',
  'rebinding',
  'samples',
  'udp',
  'window',
].map((name) => `${name}.c`);

/** Compiles the functions of the headers in this folder. Each call compiles anew, without shared state. */
export function compileLink() {
  const before = process.cwd();
  // TinyCC splits paths at quotes and line breaks, so that the project's folder must not be in them.
  process.chdir(import.meta.dirname);
  const { symbols } = cc({
    source: SOURCES,
    // By its runtime name: the default, libc.so, exists only with C development files.
    flags: '-nostdlib',
    library: [':libc.so.6'],
    symbols: {
      arrive: { args: ['int', 'ptr', 'int', 'i64', 'int'], returns: 'int' },
      begin_capture: { args: ['int'], returns: 'void' },
      begin_direction: { args: ['int', 'i64', 'i64', 'int', 'int'], returns: 'void' },
      begin_ports: { args: ['int', 'int'], returns: 'void' },
      bring_home: { args: ['ptr', 'int', 'i64'], returns: 'int' },
      capture_places: { args: ['ptr'], returns: 'void' },
      carries_data: { args: ['ptr', 'int'], returns: 'int' },
      begin_event: { args: ['i64', 'i64'], returns: 'void' },
      begin_handshakes: { args: ['int', 'int'], returns: 'void' },
      begin_rebinding: { args: ['int', 'int', 'u32'], returns: 'void' },
      begin_rests: { args: [], returns: 'void' },
      begin_windows: { args: ['i64', 'i64', 'int'], returns: 'void' },
      carry: { args: [], returns: 'void' },
      count: { args: ['int', 'i64', 'ptr'], returns: 'void' },
      count_capture: { args: [], returns: 'void' },
      end_capture: { args: [], returns: 'void' },
      end_window: { args: ['ptr', 'int', 'i64'], returns: 'void' },
      event_ns: { args: ['i64'], returns: 'i64_fast' },
      first_packet_ns: { args: [], returns: 'i64_fast' },
      gone_end: { args: [], returns: 'int' },
      hold: { args: ['ptr', 'int', 'i64'], returns: 'int' },
      keep_on_the_way: { args: ['int'], returns: 'void' },
      keep_packet: {
        args: ['int', 'i64', 'i64', 'i64', 'int', 'ptr', 'int'],
        returns: 'void',
      },
      keep_packets_in: { args: ['ptr', 'i64'], returns: 'void' },
      lead: { args: [], returns: 'i64_fast' },
      learn_lead: { args: ['i64'], returns: 'void' },
      leave: { args: ['int', 'i64'], returns: 'ptr' },
      lock_memory: { args: [], returns: 'int' },
      lose_data_packets: { args: ['int', 'ptr', 'int'], returns: 'void' },
      memory_of: { args: ['int', 'i64'], returns: 'ptr' },
      next_due_ns: { args: ['int'], returns: 'i64_fast' },
      next_release_ns: { args: [], returns: 'i64_fast' },
      note_left: { args: ['ptr', 'int', 'i64'], returns: 'void' },
      now_ns: { args: [], returns: 'i64_fast' },
      open_link: { args: ['int', 'int', 'int', 'int'], returns: 'void' },
      owns: { args: ['int', 'ptr', 'int'], returns: 'int' },
      processor_ns: { args: [], returns: 'i64_fast' },
      read_rebound: { args: ['i64', 'ptr'], returns: 'void' },
      release: { args: ['i64'], returns: 'ptr' },
      sample_in: { args: ['ptr'], returns: 'void' },
      sampled: { args: ['ptr'], returns: 'void' },
      send_out: { args: ['ptr', 'int', 'i64', 'int'], returns: 'void' },
      set_delay: { args: ['int', 'i64', 'i64'], returns: 'void' },
      set_loss: { args: ['int', 'f64', 'f64', 'f64'], returns: 'void' },
      refuse: { args: ['ptr', 'int', 'ptr'], returns: 'int' },
      set_queue: { args: ['int', 'i64'], returns: 'void' },
      set_rate: { args: ['int', 'f64'], returns: 'void' },
      set_trace: { args: ['int', 'ptr', 'i64'], returns: 'void' },
      treat_udp: { args: ['int', 'int', 'f64', 'i64'], returns: 'void' },
    },
  });
  process.chdir(before);
  return symbols;
}
