#pragma once
#include <stddef.h>
#include <stdint.h>

// Scans of a column's values, up to 256, in the form in which the file keeps them. Swift has no way
// to compile one function for several kinds of processor and choose when it runs; these take
// AVX-512 or AVX2 where there is one.
//
// `code` is the width of a whole number as the column says it: 0…3 are unsigned of 0, 1, 2, 4 bits,
// 4…7 signed of 8, 16, 32,
// 64. A bit of `found` stands for a value; bits from `count` on come out 0. Values are read to the
//     end of their last
// 8 bytes.

/// The sum of the values, wrapping.
int64_t rb_scan_sum(const void *values, unsigned code, size_t count);

/// The least and the greatest of at least one value.
void rb_scan_ends(const void *values, unsigned code, size_t count, int64_t *least,
                  int64_t *greatest);

/// Writes whole numbers of 64 bits, which it can hold, in the form of a code; of the last byte the
/// unused bits are 0.
void rb_scan_narrow(const int64_t *values, size_t count, unsigned code, void *target);

/// The reverse.
void rb_scan_widen(const void *values, unsigned code, size_t count, int64_t *target);

/// Which values lie from low through high.
void rb_scan_range(
    const void *values, unsigned code, size_t count, int64_t low, int64_t high, uint64_t found[4]);

/// Which fractions of 64 bits lie from low through high; none that is not a number does.
void rb_scan_range_double(
    const void *values, size_t count, double low, double high, uint64_t found[4]);

/// Which of the strings are these bytes. `ends` are their ends, 16 bits each, in front of the
/// bytes; 16 bytes past the last one are readable.
void rb_scan_equal(
    const void *ends, size_t count, const void *bytes, size_t length, uint64_t found[4]);

/// 0: plain C, 1: AVX2, 2: AVX-512. Lower it to compare; higher than what there is has no effect.
void rb_scan_limit(int level);
int rb_scan_level(void);

/// Asks for a line of memory ahead of its use.
static inline void rb_prefetch(const void *line) { __builtin_prefetch(line); }

/// How many of `window` words, each `stride` bytes behind the last, are below a limit once `bias`
/// is added to them. In Swift the same loop branches at every word, and half of the time it goes
/// where the processor did not expect it to.
static inline __attribute__((always_inline)) size_t rb_count_below(
    const void *words, size_t stride, size_t window, uint64_t bias, uint64_t limit) {
  size_t below = 0;
  for (size_t place = 0; place < window; place++) {
    uint64_t word;
    __builtin_memcpy(&word, (const uint8_t *)words + place * stride, 8);
    below += word + bias < limit;
  }
  return below;
}
