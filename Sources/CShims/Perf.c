#include "include/Perf.h"
#include "include/Token.h"

uint64_t rb_limit_sum(const uint64_t *words, uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++) sum += words[i];
  return sum;
}

uint64_t rb_limit_chase(const uint32_t *next, uint32_t start, uint64_t n) {
  uint32_t at = start;
  for (uint64_t i = 0; i < n; i++) at = next[at];
  return at;
}

uint64_t rb_limit_gather(const uint8_t *bytes, uint64_t stride, const uint32_t *order, uint64_t n,
                         uint64_t mask) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t value;
    __builtin_memcpy(&value, bytes + order[i & mask] * stride, sizeof value);
    sum += value;
  }
  return sum;
}

uint64_t rb_limit_count_above(const int64_t *words, uint64_t n, int64_t threshold) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; i++) count += words[i] > threshold;
  return count;
}

uint64_t rb_limit_token(uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++) {
    sum ^= rb_token_get();
    __asm__ volatile("" : "+r"(sum) : : "memory");
  }
  return sum;
}
