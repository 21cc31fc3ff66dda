#define _GNU_SOURCE
#include "Files.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int rb_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int rb_open(const char *path, int writable, int create) {
  int flags = (writable ? O_RDWR : O_RDONLY) | (create ? O_CREAT : 0) | O_CLOEXEC;
  int result;
  do result = open(path, flags, 0644);
  while (result < 0 && errno == EINTR);
  return result;
}

void rb_start_writing(int descriptor, uint64_t offset, uint64_t count) {
#ifdef __linux__
  sync_file_range(descriptor, (off64_t)offset, (off64_t)count, SYNC_FILE_RANGE_WRITE);
#endif
}

static int lock_byte(int descriptor, int command, short type, uint64_t offset, uint64_t count) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)offset,
                       .l_len = (off_t)count};
  int result;
  do result = fcntl(descriptor, command, &lock);
  while (result < 0 && errno == EINTR);
  if (result < 0) return errno == EACCES ? EAGAIN : errno;
  return command == F_OFD_GETLK ? (lock.l_type == F_UNLCK ? 0 : EAGAIN) : 0;
}

int rb_byte_try(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLK, F_WRLCK, offset, 1);
}
int rb_byte_lock(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLKW, F_WRLCK, offset, 1);
}
int rb_byte_unlock(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLK, F_UNLCK, offset, 1);
}
int rb_byte_held(int descriptor, uint64_t offset, uint64_t count) {
  return lock_byte(descriptor, F_OFD_GETLK, F_WRLCK, offset, count) != 0;
}

int rb_allocate(int descriptor, uint64_t offset, uint64_t count) {
  int result;
  do result = posix_fallocate(descriptor, (off_t)offset, (off_t)count);
  while (result == EINTR);
  return result;
}

uint64_t rb_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t rb_uptime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t forks = 0;
static void forked(void) { forks++; }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(0, 0, forked); }

uint32_t rb_fork_count(void) { return forks; }
