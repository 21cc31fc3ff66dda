#define _GNU_SOURCE
#include "CFlushes.h"
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static uint64_t flushes;
static uint64_t written;
static uint64_t delay;

static uint64_t flushing;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t begin(void) {
  uint64_t start = now();
  __atomic_fetch_add(&flushes, 1, __ATOMIC_RELAXED);
  if (delay) {
    struct timespec time = {(time_t)(delay / 1000000000), (long)(delay % 1000000000)};
    nanosleep(&time, NULL);
  }
  return start;
}

/* What a call answered, once the time it took is on the account. */
static int end(uint64_t start, long result) {
  __atomic_fetch_add(&flushing, now() - start, __ATOMIC_RELAXED);
  return (int)result;
}

static ssize_t wrote(long count) {
  if (count > 0) __atomic_fetch_add(&written, (uint64_t)count, __ATOMIC_RELAXED);
  return (ssize_t)count;
}

uint64_t rb_written(void) { return __atomic_load_n(&written, __ATOMIC_RELAXED); }
uint64_t rb_flushing(void) { return __atomic_load_n(&flushing, __ATOMIC_RELAXED); }
uint64_t rb_flushes(void) { return __atomic_load_n(&flushes, __ATOMIC_RELAXED); }
void rb_flushes_delay(uint64_t nanoseconds) { delay = nanoseconds; }

int fsync(int file) {
  uint64_t start = begin();
  return end(start, syscall(SYS_fsync, file));
}

int fdatasync(int file) {
  uint64_t start = begin();
  return end(start, syscall(SYS_fdatasync, file));
}

int msync(void *address, size_t length, int flags) {
  if (!(flags & MS_SYNC)) return (int)syscall(SYS_msync, address, length, flags);
  uint64_t start = begin();
  return end(start, syscall(SYS_msync, address, length, flags));
}

/* Every way an engine writes to a file at a place of its choice, or to the end. */
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return wrote(syscall(SYS_pwrite64, file, bytes, count, offset));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return wrote(syscall(SYS_pwrite64, file, bytes, count, offset));
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  return wrote(syscall(SYS_pwritev, file, parts, count, offset, 0L));
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  return wrote(syscall(SYS_pwritev, file, parts, count, offset, 0L));
}

ssize_t write(int file, const void *bytes, size_t count) {
  return wrote(syscall(SYS_write, file, bytes, count));
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  return wrote(syscall(SYS_writev, file, parts, count));
}
