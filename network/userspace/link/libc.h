/* The part of the C library and kernel in use, on 64-bit Linux: the machine needs no headers. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long i64;
typedef unsigned long u64;

struct timespec {
  i64 seconds, nanoseconds;
};

struct pollfd {
  int file;
  short events, found;
};

#define POLLIN 0x01
#define CLOCK_MONOTONIC 1
#define TIMER_ABSTIME 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define PROT_READ_WRITE 0x3
#define MAP_SHARED 0x01
#define MAP_FAILED ((void *)-1)
#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MCL_ONFAULT 4
#define EAGAIN 11
#define EBADFD 77

extern int clock_gettime(int clock, struct timespec *time);
extern int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *left);
extern int ppoll(struct pollfd *files, u64 count, const struct timespec *wait, const void *signals);
extern i64 read(int file, void *bytes, u64 count);
extern i64 write(int file, const void *bytes, u64 count);
extern int usleep(u32 microseconds);
extern void *mmap(void *at, u64 length, int protection, int flags, int file, i64 offset);
extern int mlockall(int flags);
extern void *malloc(u64 size);
extern void *realloc(void *memory, u64 size);
extern void free(void *memory);
extern void *memcpy(void *to, const void *from, u64 count);
extern void *memset(void *memory, int value, u64 count);
extern int *__errno_location(void);

static i64 clock_ns(int clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.seconds * 1000000000 + time.nanoseconds;
}
