#pragma once
#include <stdint.h>

// Waiting on a word, in this process or shared with others. The futex call is variadic, which Swift
// cannot call.

/// Sleeps while the word holds `value`; at most so many milliseconds, for ever if negative. 0 woken
/// or changed, else the error (ETIMEDOUT, EINTR).
int rb_futex_wait(uint32_t *word, uint32_t value, int64_t milliseconds);
/// The same, woken only by a waker that names one of the bits.
int rb_futex_wait_bits(uint32_t *word, uint32_t value, uint32_t bits);
void rb_futex_wake(uint32_t *word, int count);
void rb_futex_wake_bits(uint32_t *word, uint32_t bits);

/// The number of this thread as the system counts; cached, as the system call costs 40 ns.
uint32_t rb_thread_id(void);
