#pragma once
#include <stdint.h>

// Swift's runtime has it, Swift does not: one more reference to an object, unless the last one is
// gone.

/// The object, counted once more; null if it is being destroyed. Its memory must still be there.
static inline void *rb_try_retain(void *object) {
  extern void *swift_tryRetain(void *);
  return swift_tryRetain(object);
}

// The word of an object in which its references are counted. Volatile, because the compiler
// believes that counting changes no memory it can see, and would remember an old one.

static inline __attribute__((always_inline)) uintptr_t rb_count_word(const void *object) {
  return *((const volatile uintptr_t *)object + 1);
}
/// Only of an object that nobody else may count at the same time.
static inline __attribute__((always_inline)) void rb_set_count_word(void *object, uintptr_t word) {
  *((volatile uintptr_t *)object + 1) = word;
}
