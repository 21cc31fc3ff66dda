#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "Layout.h"

// What is looked at wherever a reference between nodes is followed: whether it leads into the file,
// and whether what lies there is a node of the kind that is wanted, no larger than itself. The
// node's first line of memory is fetched for its use anyway. In C for the same reason as Rows.h: it
// is inlined into lookups that are inlined into models.
#define RB_FOLLOW static inline __attribute__((always_inline))

/// Before the file's first byte in memory, see `NodeMemory`: up to where a node may begin to be
/// followed without a second look.
RB_FOLLOW uint64_t rb_nodes_limit(const void *base) {
  return __atomic_load_n((const uint64_t *)((uintptr_t)base - rb_front_limit), __ATOMIC_RELAXED);
}

/// Whether it can be asked if a node's checksum was compared: never, unless all of them are. Looked
/// up in a word of its own, because the limit may grow between two looks.
RB_FOLLOW bool rb_may_be_sealed(const void *base, uint64_t ref) {
  const uint64_t *sealed = (const uint64_t *)((uintptr_t)base - rb_front_sealed);
  uint64_t limit = __atomic_load_n(sealed, __ATOMIC_ACQUIRE);
  return ref - rb_heap_start < limit && (ref & 15) == 0;
}

/// Whether a node that refers to another lies in the file.
RB_FOLLOW bool rb_lies_in_file(const void *base, const void *node) {
  return (uintptr_t)node - (uintptr_t)base < RB_LARGEST_FILE;
}

/// Whether references to a place in the file are followed without a second look.
RB_FOLLOW bool rb_is_followed(const void *base, uint64_t ref) {
  return ref - rb_heap_start < rb_nodes_limit(base);
}

/// Whether a reference can be followed as it is: into the part of the file that is known to be
/// there; or, from nodes that have no place in it yet, to others of that kind.
RB_FOLLOW bool rb_may_follow(const void *base, const void *from, uint64_t ref) {
  if (__builtin_expect(rb_is_followed(base, ref) && (ref & rb_slot_form) == 0, 1)) return true;
  return ref >= RB_LARGEST_FILE && !rb_lies_in_file(base, from);
}

RB_FOLLOW uint64_t rb_node_word(const void *node, size_t offset) {
  uint64_t word;
  memcpy(&word, (const uint8_t *)node + offset, 8);
  return word;
}

/// The words before a node's payload, each in a register.
struct rb_head {
  size_t kind, width, count, bytes;
};

RB_FOLLOW struct rb_head rb_node_head(const void *node) {
  // One load for what stands in the first four bytes: the words are little-endian, as the file is.
  uint64_t first = rb_node_word(node, rb_node_kind);
  return (struct rb_head){
      first & 0xFF, first >> 8 * rb_node_width & 0xFF, first >> 8 * rb_node_count & 0xFFFF,
      (rb_node_word(node, rb_node_size) & rb_node_units) << 4};
}

/// Whether a node is a branch of rows that has room for its children.
RB_FOLLOW bool rb_is_branch(const void *node) {
  struct rb_head head = rb_node_head(node);
  return (head.kind == rb_kind_branch) & (head.count - 1 < head.width) &
         (head.width <= rb_branch_most) &
         (head.bytes >= rb_node_payload + head.width * rb_branch_entry);
}

/// The child of a branch of rows under which a key lies or would lie: the last one whose first key
/// is not above it, else the first; of at least one.
///
/// Counted in two steps, groups of eight and then within one, and neither halved nor guessed: the
/// loads of a step wait for none of each other, and nothing is left for the processor to foresee.
/// Of a branch that is nearly full the first step does not even wait for the count; else a look
/// behind the last key is a look at the last one.
RB_FOLLOW size_t rb_branch_place(const void *node, size_t count, int64_t key) {
  size_t last = count - 1, place = 0;
#define RB_IS_BEHIND(index) ((int64_t)rb_node_word(node, rb_node_payload + 8 * (index)) <= key)
  if (__builtin_expect(last >= rb_branch_most - 8, 1)) {
    for (size_t first = 8; first < rb_branch_most; first += 8) place += RB_IS_BEHIND(first);
  } else {
    for (size_t first = 8; first < rb_branch_most; first += 8)
      place += RB_IS_BEHIND(first < last ? first : last);
  }
  place *= 8;
  size_t group = place;
  for (size_t step = 1; step < 8; step++)
    place += RB_IS_BEHIND(group + step < last ? group + step : last);
#undef RB_IS_BEHIND
  return place < last ? place : last;
}

/// Whether a node is a leaf of pairs.
RB_FOLLOW bool rb_is_pair_leaf(const void *node) {
  struct rb_head head = rb_node_head(node);
  return (head.kind == rb_kind_pairs) & (head.count <= rb_pairs_most) &
         (head.bytes >= rb_node_payload + head.count * rb_pair_bytes);
}

/// Whether a node is a branch of pairs, so many branches above the leaves.
RB_FOLLOW bool rb_is_pair_branch(const void *node, size_t height) {
  struct rb_head head = rb_node_head(node);
  return (head.kind == rb_kind_pair_branch) & (head.width == height) &
         (head.count - 1 < rb_pair_branch_most) &
         (head.bytes >= rb_node_payload + head.count * rb_pair_entry_bytes);
}

/// Whether all references of a node lead nowhere or to where they can be followed as they are;
/// their low four bits are the node's own. In one pass without a branch: a write asks it of each
/// node of a tree that it copies.
RB_FOLLOW bool rb_all_may_follow(
    const void *base, const void *from, size_t first, size_t count, size_t stride) {
  uint64_t limit = rb_nodes_limit(base), outside = 0;
  uint64_t waiting = rb_lies_in_file(base, from) ? UINT64_MAX : RB_LARGEST_FILE;
  for (size_t index = 0; index < count; index++) {
    uint64_t ref = rb_node_word(from, first + index * stride) & ~(uint64_t)rb_slot_form;
    outside |= (uint64_t)((ref - rb_heap_start >= limit) & (ref < waiting) & (ref != 0));
  }
  return outside == 0;
}

/// Whether a cluster of a table was looked at as a whole, with its columns: what `NodeMemory` notes
/// for every 32 bytes of the file, in which no two clusters begin.
RB_FOLLOW uint16_t rb_cluster_mark(uint64_t ref, uint32_t table) {
  return (uint16_t)((table + 1) << 1 | (ref >> 4 & 1));
}

RB_FOLLOW uint16_t *rb_cluster_note(const void *base, uint64_t ref) {
  return (uint16_t *)((uintptr_t)base - rb_front_bytes - 2 - (ref >> 5 << 1));
}

/// Fetches a cluster and what is noted of it.
RB_FOLLOW void rb_prefetch_cluster(const void *base, uint64_t ref) {
  __builtin_prefetch(rb_cluster_note(base, ref));
  __builtin_prefetch((const uint8_t *)base + ref);
}

RB_FOLLOW bool rb_is_known_cluster(const void *base, uint64_t ref, uint32_t table) {
  uint16_t note = __atomic_load_n(rb_cluster_note(base, ref), __ATOMIC_RELAXED);
  return note == rb_cluster_mark(ref, table);
}

static inline void rb_know_cluster(const void *base, uint64_t ref, uint32_t table) {
  __atomic_store_n(rb_cluster_note(base, ref), rb_cluster_mark(ref, table), __ATOMIC_RELAXED);
}

/// Stores a note as it is: makes memory of the page that it lies in. To exchange a value for itself
/// is no look that a compiler could make of it.
static inline void rb_touch_note(const void *base, uint64_t ref) {
  uint16_t nothing = 0;
  __atomic_compare_exchange_n(
      rb_cluster_note(base, ref), &nothing, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// One bit for each node whose checksum was compared, where all of them are.
RB_FOLLOW uint64_t *rb_seal_word(const void *base, uint64_t ref) {
  uintptr_t first = (uintptr_t)base - rb_front_bytes - RB_NOTES_BYTES - RB_SEALS_BYTES;
  return (uint64_t *)(first + (ref >> 10 << 3));
}

static inline bool rb_is_seal_known(const void *base, uint64_t ref) {
  return __atomic_load_n(rb_seal_word(base, ref), __ATOMIC_RELAXED) >> (ref >> 4 & 63) & 1;
}

static inline void rb_know_seal(const void *base, uint64_t ref) {
  __atomic_fetch_or(rb_seal_word(base, ref), (uint64_t)1 << (ref >> 4 & 63), __ATOMIC_RELAXED);
}

/// Whether a reference can be followed to a cluster of a table as it is.
RB_FOLLOW bool rb_may_follow_cluster(
    const void *base, const void *from, uint64_t ref, uint32_t table) {
  if (__builtin_expect(rb_is_followed(base, ref) && (ref & rb_slot_form) == 0, 1))
    return rb_is_known_cluster(base, ref, table);
  return ref >= RB_LARGEST_FILE && !rb_lies_in_file(base, from);
}
