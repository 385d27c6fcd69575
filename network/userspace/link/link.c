/* The user-space link: carries packets between two TUN devices, with the treatment of each direction. */

#include "libc.h"
#include "packet.h"
#include "ports.h"
#include "capture.h"
#include "direction.h"
#include "event.h"
#include "rebinding.h"
#include "udp.h"
#include "window.h"

/* Packets read between two readings of the clock. */
#define BATCH 16
/* Shorter waits are polled: a sleep would take longer. */
#define NO_SLEEP_NS 20000

/*
 * Lead before a departure, because the kernel wakes a sleeper late. It follows the median lateness of the last sleeps,
 * so that packets leave on time on average. Busy waiting would be more exact, but take a processor from the browser.
 */
#define FIRST_LEAD_NS 50000
#define MOST_LEAD_NS 150000
#define LEAD_STEP_NS 1000

/*
 * Wake-ups take most of the link's processor time. It wakes up for every packet while its budget lasts (WAKES_AT_ONCE,
 * and one more per REST_NS), then once per REST_NS: packets are then a little early or late, and on time on average.
 *
 * A packet at 200 Mbit/s took 22 to 31 us without rests, 34 to 41 us in Python. Rests of 0.1, 0.2, 0.3 and 0.5 ms took 45,
 * 34, 26 and 23 % of a processor over TCP. recvmmsg and sendmmsg do not work on TUN devices, and are no faster over sockets
 * (243,000 packets a second against 273,000). Receive offloads (IFF_NAPI) join TCP's segments and not QUIC's packets. eBPF
 * cannot delay packets without netem or fq.
 */
#define REST_NS 500000
#define WAKES_AT_ONCE 2000

/* In the order of polling: a request is answered after the packets that arrived before it. */
enum { CLIENT, SERVER, CONTROL, FILES };

static struct pollfd files[FILES];
static u64 read_bytes;
static i64 lead_ns = FIRST_LEAD_NS;
/* The end whose device was deleted; -1: neither. */
static int gone = -1;

/* Packets from an end go in this direction. */
static int direction_from(int end) {
  return end == CLIENT ? TO_SERVER : TO_CLIENT;
}

static int receiver_of(int direction) {
  return files[direction == TO_SERVER ? SERVER : CLIENT].file;
}

i64 now_ns(void) {
  return clock_ns(CLOCK_MONOTONIC);
}

i64 processor_ns(void) {
  return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Shared memory of a file; 0: not available. */
void *memory_of(int file, i64 bytes) {
  void *memory = mmap(0, bytes, PROT_READ_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? 0 : memory;
}

/* Keeps the memory in use from being swapped out. */
int lock_memory(void) {
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
}

void open_link(int client, int server, int control, int longest_packet_bytes) {
  int opened[FILES] = {client, server, control};
  for (int each = 0; each < FILES; each++) {
    files[each].file = opened[each];
    files[each].events = POLLIN;
  }
  read_bytes = HEADER_BYTES + longest_packet_bytes;
}

int gone_end(void) {
  return gone;
}

i64 lead(void) {
  return lead_ns;
}

/* Moves the lead one step towards the lateness of the last sleep. */
void learn_lead(i64 late_ns) {
  lead_ns += late_ns > lead_ns ? LEAD_STEP_NS : -LEAD_STEP_NS;
  if (lead_ns > MOST_LEAD_NS) lead_ns = MOST_LEAD_NS;
  if (lead_ns < 0) lead_ns = 0;
}

static void sleep_until(i64 time_ns) {
  struct timespec time = {time_ns / 1000000000, time_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0);
}

static i64 paid_until_ns;

/* Resets the budget of wake-ups, so that a load does not depend on the previous one. */
void begin_rests(void) {
  paid_until_ns = 0;
}

/*
 * Sleeps after too many wake-ups (a leaky bucket), and returns for how long. Never rests if no packets are delayed,
 * because none could leave early to balance the late ones.
 */
static i64 rest(void) {
  if (!holds_back(REST_NS / 2)) return 0;
  i64 now = now_ns();
  if (paid_until_ns < now - WAKES_AT_ONCE * REST_NS) paid_until_ns = now - WAKES_AT_ONCE * REST_NS;
  paid_until_ns += REST_NS;
  if (paid_until_ns <= now) return 0;
  sleep_until(paid_until_ns);
  return now_ns() - now;
}

/* Delivers a packet, unless the path is cut or its port forgotten. A device that is down loses it, as on any network. */
static void hand_over(int direction, u8 *packet, int length, i64 now_ns) {
  if (direction == TO_CLIENT) {
    if (is_cut(now_ns) || !bring_home(packet, length, now_ns)) {
      end_window(packet, length, now_ns);
      return;
    }
    note_left(packet, length, now_ns);
  }
  write(receiver_of(direction), packet, length);
}

/* Lets held packets enter the link for which there is room at a time. */
static void release_until(i64 time_ns) {
  struct held *held;
  while ((held = release(time_ns))) {
    if (arrive(TO_CLIENT, held->bytes, held->length, held->released_ns, 1) == LEAVES) {
      hand_over(TO_CLIENT, held->bytes, held->length, held->released_ns);
    }
    free(held);
  }
}

/* Sends the packets due before a time in both directions, and returns the next due time; -1: no packet. */
static i64 send_due(i64 early_ns) {
  release_until(now_ns() + early_ns);
  i64 next_ns = -1;
  for (int direction = TO_SERVER; direction <= TO_CLIENT; direction++) {
    i64 due_ns = -1;
    for (int sent = 0; sent < BATCH; sent++) {
      due_ns = next_due_ns(direction);
      if (due_ns < 0) break;
      i64 now = now_ns();
      if (due_ns - early_ns > now) break;
      struct packet *packet = leave(direction, now);
      if (packet) hand_over(direction, packet->bytes, packet->length, now);
      free(packet);
    }
    /* After a full batch the time is in the past: the other direction and new packets come first. */
    if (due_ns >= 0 && (next_ns < 0 || due_ns < next_ns)) next_ns = due_ns;
  }
  i64 release_ns = next_release_ns();
  if (release_ns >= 0 && (next_ns < 0 || release_ns < next_ns)) next_ns = release_ns;
  return next_ns;
}

/* Sends the ICMP error for a refused packet. */
static void report_refused(int end, const u8 *packet, int length, i64 arrived_ns) {
  static u8 answer[MOST_REFUSAL_BYTES];
  int answer_bytes = refuse(packet, length, answer);
  int back = direction_from(end == CLIENT ? SERVER : CLIENT);
  if (arrive(back, answer, answer_bytes, arrived_ns, 0) == LEAVES) {
    write(receiver_of(back), answer, answer_bytes);
  }
}

/* Reads a batch of packets from an end; returns whether there may be more. */
static int take(int end, i64 late_ns) {
  static u8 packet[HEADER_BYTES + MOST_IP_BYTES];
  int direction = direction_from(end);
  for (int taken = 0; taken < BATCH; taken++) {
    i64 length = read(files[end].file, packet, read_bytes);
    if (length < 0) {
      int error = *__errno_location();
      if (error == EBADFD) {
        gone = end;
        files[end].file = -1;
      } else if (error != EAGAIN) {
        /* The device is down: reading again at once would only be busy. */
        usleep(1000);
      }
      return 0;
    }
    i64 arrived_ns = now_ns() - late_ns;
    int of_load = owns(direction, packet, length);
    if (direction == TO_SERVER) {
      send_out(packet, length, arrived_ns, of_load);
    } else {
      release_until(arrived_ns);
      if (of_load && hold(packet, length, arrived_ns)) continue;
    }
    int became = arrive(direction, packet, length, arrived_ns, of_load);
    if (became == LEAVES) hand_over(direction, packet, length, arrived_ns);
    if (became == REFUSED) report_refused(end, packet, length, arrived_ns);
  }
  return 1;
}

/* Carries packets until something comes from the control socket. */
void carry(void) {
  int more = 0;
  for (;;) {
    i64 rested_ns = more ? 0 : rest();
    i64 early_ns = lead_ns + rested_ns / 2;
    i64 due_ns = send_due(early_ns);
    i64 polled_ns = now_ns();
    i64 begin_ns = due_ns - early_ns;
    i64 wait_ns = begin_ns > polled_ns ? begin_ns - polled_ns : 0;
    struct timespec wait = {wait_ns / 1000000000, wait_ns % 1000000000};
    int found = ppoll(files, FILES, due_ns < 0 ? 0 : &wait, 0);
    i64 woken_ns = now_ns();
    if (found == 0 && wait_ns > 0) learn_lead(woken_ns - begin_ns);
    more = 0;
    if (found <= 0) continue;
    /* A packet that woke the link arrived about one wake-up time ago, and after those that were there. */
    i64 slept_ns = woken_ns - polled_ns;
    i64 late_ns = slept_ns <= NO_SLEEP_NS ? rested_ns / 2 : slept_ns < lead_ns ? slept_ns : lead_ns;
    for (int end = CLIENT; end <= SERVER; end++) {
      if (files[end].file >= 0 && files[end].found) more |= take(end, late_ns);
    }
    if (files[CONTROL].found) return;
  }
}
