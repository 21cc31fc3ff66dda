#pragma once
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Hardware counters. syscall() is variadic and perf_event_attr is a bit field: Swift imports
// neither.

/// Opens a counter of instructions executed in user space by this process and threads it starts
/// later; -1 where the kernel, the machine or a sandbox says no.
static inline int rb_perf_open_instructions(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/// What the counter has counted; -1 when it cannot be read.
static inline int64_t rb_perf_read(int counter) {
  uint64_t value = 0;
  return read(counter, &value, sizeof value) == sizeof value ? (int64_t)value : -1;
}

// Debuggers and kernels may run 64-bit moves over and over; the loops below are what the machine
// itself can do.

/// The sum of n words.
uint64_t rb_limit_sum(const uint64_t *words, uint64_t n);
/// Follows n links of a ring of indices: each load waits for the one before.
uint64_t rb_limit_chase(const uint32_t *next, uint32_t start, uint64_t n);
/// Reads n ages at a stride from packed records: what a scan cannot beat.
uint64_t rb_limit_gather(const uint8_t *bytes, uint64_t stride, const uint32_t *order, uint64_t n,
                         uint64_t mask);
/// Counts the words above a threshold.
uint64_t rb_limit_count_above(const int64_t *words, uint64_t n, int64_t threshold);
/// Reads the thread's token n times, each read a call the optimiser cannot merge.
uint64_t rb_limit_token(uint64_t n);
/// One spin-loop hint to the processor.
static inline void rb_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
