#pragma once

// Swift's runtime has it, Swift does not: one more reference to an object, unless the last one is gone.

/// The object, counted once more; null if it is being destroyed. Its memory must still be there.
static inline void *rb_try_retain(void *object) {
  extern void *swift_tryRetain(void *);
  return swift_tryRetain(object);
}
