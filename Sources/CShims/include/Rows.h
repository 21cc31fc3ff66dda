#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "Layout.h"
#include "Token.h"

// Reading one value of a row, in the form in which the file keeps it. In Swift the same code is too
// large for the compiler to inline it into a model's getter, and a getter that is called costs its
// object a retain; a call into C counts as one small instruction until all such decisions are made,
// and is inlined afterwards. `pure`: none of it writes.
#define RB_ROWS static inline __attribute__((always_inline, pure))

/// The words of a session, and those of an object's header, that a read looks at.
struct rb_session_words {
  uintptr_t token, mask;
  const void *base;
  uint32_t generation;
};

struct rb_object_words {
  uint64_t instant;
  const void *place;
  const struct rb_session_words *session;
  uint32_t generation;
};

/// Whether an object is in no realm. What is in none has no instant.
RB_ROWS bool rb_object_is_free(const void *header) {
  const struct rb_object_words *words = header;
  return words->instant != rb_instant_get() && words->place == NULL;
}

/// Whether a managed object's place may be out of date, or the code may run elsewhere than at the
/// session's home. If the instant does not tell, it can be said here only of a frozen session,
/// whose home is everywhere, that neither is so.
RB_ROWS bool rb_object_is_doubtful(const void *header) {
  const struct rb_object_words *words = header;
  return words->instant != rb_instant_get() &&
         (words->session->mask != 0 || words->generation != words->session->generation);
}

/// How many column references a cluster has room for.
RB_ROWS size_t rb_row_columns(const void *cluster) {
  uint64_t units;
  memcpy(&units, (const uint8_t *)cluster + rb_node_size, 8);
  return (((units & rb_node_units) << 4) - rb_cluster_columns) >> 3;
}

/// A cluster's reference to a column that it has room for.
RB_ROWS uint64_t rb_row_slot_within(const void *cluster, size_t column) {
  uint64_t slot;
  memcpy(&slot, (const uint8_t *)cluster + rb_cluster_columns + (column << 3), 8);
  return slot;
}

/// A cluster's reference to a column, the column's form in the low four bits; 0 if it is missing.
RB_ROWS uint64_t rb_row_slot(const void *cluster, size_t column) {
  return column < rb_row_columns(cluster) ? rb_row_slot_within(cluster, column) : 0;
}

/// The first value of a column, behind the header and the bitmap of nulls.
RB_ROWS const void *rb_slot_values(uint64_t slot, const void *base) {
  // The bit that tells of nulls, times four, is what their bits take.
  return (const uint8_t *)((uintptr_t)base + (slot & ~(uint64_t)rb_slot_form)) +
         rb_column_values + ((slot & rb_slot_nulls) * (rb_null_bytes / rb_slot_nulls));
}

/// Fetches the lines of the first five columns in which a row's values lie, or the ends of its
/// texts, and where its texts should be by their average length.
///
/// `lengths` has 12 bits for a column, in sixteenths of a byte; 0 for a column of no short texts.
/// Texts lie behind their ends: who waited for those to know where to look would wait twice.
static inline __attribute__((always_inline)) void rb_row_prefetch(
    const void *cluster, const void *base, size_t row, uint64_t lengths) {
  uint16_t rows;
  memcpy(&rows, (const uint8_t *)cluster + rb_node_count, 2);
  for (size_t column = 0; column < 5; column++, lengths >>= 12) {
    uint64_t slot = rb_row_slot(cluster, column);
    if (slot == 0) continue;
    // A width of 2 to the power of (code - 4) bytes; below a byte, many rows share one.
    unsigned code = slot & rb_slot_code;
    size_t offset = code >= 4 ? row << (code - 4) : row >> 1;
    const uint8_t *values = rb_slot_values(slot, base);
    __builtin_prefetch(values + offset);
    size_t length = lengths & 0xFFF;
    if (length == 0 || code != 5) continue;
    const uint8_t *text = values + 2 * (size_t)rows + (length * row >> 4);
    __builtin_prefetch(text - 24);
    __builtin_prefetch(text + 40);
  }
}

/// Fetches the lines in which a text of a column of short ones should be, and its end, before its
/// cluster has been looked at; `length` as above.
static inline __attribute__((always_inline)) void rb_text_prefetch(
    uint64_t slot, const void *base, size_t rows, size_t row, size_t length) {
  if ((slot & rb_slot_code) != 5) return;
  const uint8_t *ends = rb_slot_values(slot, base);
  __builtin_prefetch(ends + 2 * row);
  const uint8_t *text = ends + 2 * rows + (length * row >> 4);
  __builtin_prefetch(text);
  __builtin_prefetch(text + (length >> 4));
}

/// One of a column's whole numbers; `code` is their width as in Scan.h.
RB_ROWS int64_t rb_column_int(const void *values, unsigned code, size_t index) {
  switch (code) {
    case 4: return ((const int8_t *)values)[index];
    case 5: return ((const int16_t *)values)[index];
    case 6: return ((const int32_t *)values)[index];
    case 7: return ((const int64_t *)values)[index];
    case 0: return 0;
    case 1: return ((const uint8_t *)values)[index >> 3] >> (index & 7) & 1;
    case 2: return ((const uint8_t *)values)[index >> 2] >> ((index & 3) << 1) & 3;
    default: return ((const uint8_t *)values)[index >> 1] >> ((index & 1) << 2) & 15;
  }
}

/// A whole number; 0 for null, and of a missing column.
///
/// A node begins at a multiple of 16: with the form, which is in the slot's low bits, it is known
/// in each case how far the slot itself is from the values, and nothing has to be masked. A missing
/// column's form is 0, like that of zeros.
RB_ROWS int64_t rb_slot_int(uint64_t slot, const void *base, size_t index) {
  const uint8_t *at = (const uint8_t *)base + slot;
#define RB_VALUES(form) \
  (at - (form) + ((form) & rb_slot_nulls ? rb_column_values_behind_nulls : rb_column_values))
  switch (slot & rb_slot_form) {
    case 4: return ((const int8_t *)RB_VALUES(4))[index];
    case 5: return ((const int16_t *)RB_VALUES(5))[index];
    case 6: return ((const int32_t *)RB_VALUES(6))[index];
    case 7: return ((const int64_t *)RB_VALUES(7))[index];
    case 12: return ((const int8_t *)RB_VALUES(12))[index];
    case 13: return ((const int16_t *)RB_VALUES(13))[index];
    case 14: return ((const int32_t *)RB_VALUES(14))[index];
    case 15: return ((const int64_t *)RB_VALUES(15))[index];
    case 1: return RB_VALUES(1)[index >> 3] >> (index & 7) & 1;
    case 2: return RB_VALUES(2)[index >> 2] >> ((index & 3) << 1) & 3;
    case 3: return RB_VALUES(3)[index >> 1] >> ((index & 1) << 2) & 15;
    case 9: return RB_VALUES(9)[index >> 3] >> (index & 7) & 1;
    case 10: return RB_VALUES(10)[index >> 2] >> ((index & 3) << 1) & 3;
    case 0: return 0;
    case 8: return 0;
    default: return RB_VALUES(11)[index >> 1] >> ((index & 1) << 2) & 15;
  }
#undef RB_VALUES
}

/// Whether a value of a column that may hold nulls is null; all are in a missing one.
RB_ROWS bool rb_slot_is_null(uint64_t slot, const void *base, size_t index) {
  if (slot == 0) return true;
  if ((slot & rb_slot_nulls) == 0) return false;
  const uint8_t *bits =
      (const uint8_t *)((uintptr_t)base + (slot & ~(uint64_t)rb_slot_form)) + rb_node_payload;
  return bits[index >> 3] >> (index & 7) & 1;
}

/// The bytes of a string in a column of short ones (code 5): 16-bit ends, then the bytes.
struct rb_bytes {
  const void *start;
  size_t count;
};

RB_ROWS struct rb_bytes rb_slot_bytes(uint64_t slot, const void *base, size_t rows, size_t index) {
  const uint16_t *ends = rb_slot_values(slot, base);
  size_t from = index == 0 ? 0 : ends[index - 1];
  return (struct rb_bytes){(const uint8_t *)ends + 2 * rows + from, ends[index] - from};
}

/// Whether bytes are UTF-8, and so may become a string of Swift as they are.
bool rb_is_text(const void *bytes, size_t count) __attribute__((pure));

/// What the words of a small string are made of, by its length: which bits of both are its own, and
/// what stands before them in the second, as of ASCII. Looking it up takes four steps, working it
/// out a dozen.
struct rb_small_form {
  uint64_t first, second, head, unused;
};

extern const struct rb_small_form rb_small_forms[16];

/// The two words of a small string of Swift: up to 15 bytes of UTF-8, with 16 readable from their
/// start. `second` is 0 if the bytes are no UTF-8.
struct rb_words {
  uint64_t first, second;
};

RB_ROWS struct rb_words rb_small_string(const void *bytes, size_t count) {
  uint64_t low, high;
  memcpy(&low, bytes, 8);
  memcpy(&high, (const uint8_t *)bytes + 8, 8);
  const struct rb_small_form *form = &rb_small_forms[count];
  low &= form->first;
  high &= form->second;
  uint64_t head = form->head;
  if (__builtin_expect(((low | high) & 0x8080808080808080ull) != 0, 0)) {
    // Swift trusts that what it takes for text is text; a file may be damaged.
    if (!rb_is_text(bytes, count)) return (struct rb_words){0, 0};
    head &= ~(0x40ull << 56);
  }
  // Said because it is looked up: who asks whether there are words need not ask here.
  __builtin_assume(head != 0);
  return (struct rb_words){low, high | head};
}

/// The string of a row as a small string of Swift, of a column that the cluster has room for;
/// `second` is 0 if it is longer, or kept elsewhere than with the others.
RB_ROWS struct rb_words rb_row_small_string(
    const void *cluster, size_t column, const void *base, size_t row) {
  const struct rb_words none = {0, 0};
  uint64_t slot = rb_row_slot_within(cluster, column), form = slot & rb_slot_form;
  // As with whole numbers: the form says how far the slot is from the first end.
  const uint8_t *ends = (const uint8_t *)base + slot;
  if (__builtin_expect(form == 5, 1)) {
    ends += rb_column_values - 5;
  } else if (form == (5 | rb_slot_nulls)) {
    ends += rb_column_values_behind_nulls - (5 | rb_slot_nulls);
  } else {
    return none;
  }
  uint16_t rows, from = 0, to;
  memcpy(&rows, (const uint8_t *)cluster + rb_node_count, 2);
  memcpy(&to, ends + 2 * row, 2);
  if (__builtin_expect(row != 0, 1)) memcpy(&from, ends + 2 * row - 2, 2);
  size_t count = (size_t)to - from;
  if (__builtin_expect(count > 15, 0)) return none;
  return rb_small_string(ends + 2 * (size_t)rows + from, count);
}

/// The same of a row whose cluster has room for so many columns: `second` is 0, too, if the column
/// is none of them.
RB_ROWS struct rb_words rb_cell_small_string(
    const void *cluster, uint32_t column, uint16_t columns, const void *base, size_t row) {
  if (__builtin_expect(column >= columns, 0)) return (struct rb_words){0, 0};
  return rb_row_small_string(cluster, column, base, row);
}
