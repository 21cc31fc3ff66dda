#define _GNU_SOURCE
#include "CFlushes.h"
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t flushes;
static uint64_t delay;

static void note(void) {
  __atomic_fetch_add(&flushes, 1, __ATOMIC_RELAXED);
  if (delay) {
    struct timespec time = {(time_t)(delay / 1000000000), (long)(delay % 1000000000)};
    nanosleep(&time, NULL);
  }
}

uint64_t rb_flushes(void) { return __atomic_load_n(&flushes, __ATOMIC_RELAXED); }
void rb_flushes_delay(uint64_t nanoseconds) { delay = nanoseconds; }

int fsync(int file) {
  note();
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  note();
  return (int)syscall(SYS_fdatasync, file);
}

int msync(void *start, size_t length, int flags) {
  if (flags & MS_SYNC) note();
  return (int)syscall(SYS_msync, start, length, flags);
}
