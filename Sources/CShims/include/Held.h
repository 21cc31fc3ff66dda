#pragma once
#include <stddef.h>
#include <stdint.h>

// Live objects in C: what reading a property costs where nothing of Swift is in the way. The same
// words in memory, the same checks of thread, version and column, the same clusters of columns in a
// mapped file; benchmarks stand it beside the engine.

/// What the objects of one realm share.
struct rb_held_realm {
  uintptr_t token, mask;
  const uint8_t *base;
  uint32_t generation;
};

/// An object: 16 bytes as of Swift's header, then its row.
struct rb_held_object {
  uintptr_t type, count;
  // The instant of the thread at which the place was right: tells thread and version by one
  // comparison.
  uint64_t instant;
  const uint8_t *place;
  const struct rb_held_realm *realm;
  uint32_t generation;
  uint16_t row, columns;
  int64_t origin;
};

/// The sum of `n` whole numbers, of the objects in turn. A cluster has a word for each column
/// (Layout.h): the column's place from the base, its width in the low bits.
uint64_t rb_held_ints(const struct rb_held_object *const *objects, size_t count, size_t column,
                      uint64_t n);

/// The lengths of `n` strings, each copied out; of the objects in turn. A column of strings is
/// 16-bit ends, then the bytes.
uint64_t rb_held_strings(const struct rb_held_object *const *objects, size_t count, size_t column,
                      uint64_t n);
