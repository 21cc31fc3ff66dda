#pragma once
#include <stdint.h>

// Atomics on a word that lies in mapped memory. Swift's Atomic owns its storage, so it cannot be laid over a
// word that another process shares.
static inline uint64_t rb_load_acquire(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void rb_store_release(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline void rb_store_seq_cst(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
