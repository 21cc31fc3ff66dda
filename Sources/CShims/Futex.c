#define _GNU_SOURCE
#include "Futex.h"
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int rb_futex_wait(uint32_t *word, uint32_t value, int64_t milliseconds) {
  struct timespec limit = {milliseconds / 1000, (milliseconds % 1000) * 1000000};
  long result =
      syscall(SYS_futex, word, FUTEX_WAIT, value, milliseconds < 0 ? NULL : &limit, NULL, 0);
  return result == 0 || errno == EAGAIN ? 0 : errno;
}

int rb_futex_wait_bits(uint32_t *word, uint32_t value, uint32_t bits) {
  long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, NULL, NULL, bits);
  return result == 0 || errno == EAGAIN ? 0 : errno;
}

void rb_futex_wake(uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}

void rb_futex_wake_bits(uint32_t *word, uint32_t bits) {
  syscall(SYS_futex, word, FUTEX_WAKE_BITSET, 0x7fffffff, NULL, NULL, bits);
}

static __thread uint32_t thread_id = 0;

uint32_t rb_thread_id(void) {
  if (thread_id == 0) thread_id = (uint32_t)syscall(SYS_gettid);
  return thread_id;
}
