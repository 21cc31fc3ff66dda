#pragma once
#include <stdint.h>

// Atomics on a word that lies in mapped memory. Swift's Atomic owns its storage, so it cannot be
// laid over a word that another process shares.
static inline uint64_t rb_load_relaxed(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline uint64_t rb_load_acquire(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline uint64_t rb_load_seq_cst(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
static inline void rb_store_relaxed(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline void rb_store_release(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline void rb_store_seq_cst(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline uint32_t rb_load32(const uint32_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
static inline void rb_store32(uint32_t *word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline uint32_t rb_add32(uint32_t *word, uint32_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
static inline uint64_t rb_add64(uint64_t *word, uint64_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
static inline uint32_t rb_exchange32(uint32_t *word, uint32_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}
static inline uint32_t rb_or32(uint32_t *word, uint32_t bits) {
  return __atomic_fetch_or(word, bits, __ATOMIC_SEQ_CST);
}
/// 1 if the word was `expected` and now is `value`.
static inline int rb_swap32(uint32_t *word, uint32_t expected, uint32_t value) {
  return __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
