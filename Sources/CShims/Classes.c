#include "Classes.h"

#include <stdint.h>
#include <string.h>

// Swift's ABI, as its documents and MetadataSections.h have it.

struct section {
  uintptr_t start;
  size_t length;
};

struct sections {
  uintptr_t version;
  const void *base, *unused[2];
  struct section protocols, conformances, types;
};

// Weak, so that a runtime without it has no classes instead of leaving a program unlinked.
__attribute__((weak)) extern void swift_enumerateAllMetadataSections(
    _Bool (*body)(const struct sections *, void *), void *context);

struct metadata {
  const void *type;
  size_t state;
};

enum {
  class_kind = 16,
  kind_mask = 0x1f,
  generic_bit = 0x80,
  accessor_at = 12,
  superclass_at = 20,
  // Of a class without Objective-C's words in it.
  descriptor_at = 40,
  deepest = 64,
};

static const uint8_t *follow(const uint8_t *field) {
  int32_t distance;
  memcpy(&distance, field, sizeof distance);
  return distance == 0 ? NULL : field + distance;
}

static uint32_t flags(const uint8_t *descriptor) {
  uint32_t word;
  memcpy(&word, descriptor, sizeof word);
  return word;
}

/// The descriptor of a class's superclass: its mangled name begins with a reference to it, or to
/// where one is kept.
static const uint8_t *superclass(const uint8_t *descriptor) {
  const uint8_t *name = follow(descriptor + superclass_at);
  if (name == NULL || *name < 1 || *name > 2) return NULL;
  const uint8_t *found = follow(name + 1);
  if (*name == 1 || found == NULL) return found;
  memcpy(&found, (const void *)found, sizeof found);
  return found;
}

static _Bool inherits(const uint8_t *descriptor, const uint8_t *root) {
  for (int depth = 0; descriptor != NULL && depth < deepest; depth++) {
    if ((flags(descriptor) & kind_mask) != class_kind) return 0;
    if (descriptor == root) return depth > 0;
    descriptor = superclass(descriptor);
  }
  return 0;
}

struct search {
  const uint8_t *root;
  void (*take)(const void *metadata, void *context);
  void *context;
};

static _Bool search_image(const struct sections *sections, void *context) {
  const struct search *search = context;
  const uint8_t *record = (const uint8_t *)sections->types.start;
  const uint8_t *end = record + sections->types.length;
  for (; record != NULL && record + 4 <= end; record += 4) {
    int32_t word;
    memcpy(&word, record, sizeof word);
    // The low bits tell whether the record leads to a type or to where one is kept.
    uint32_t kind = word & 3;
    if (word == 0 || kind > 1) continue;
    const uint8_t *descriptor = record + (word & ~3);
    if (kind == 1) memcpy(&descriptor, (const void *)descriptor, sizeof descriptor);
    if (descriptor == NULL || (flags(descriptor) & kind_mask) != class_kind) continue;
    if (flags(descriptor) & generic_bit || !inherits(descriptor, search->root)) continue;
    struct metadata (*accessor)(size_t) =
        (struct metadata(*)(size_t))(uintptr_t)follow(descriptor + accessor_at);
    if (accessor != NULL) search->take(accessor(0).type, search->context);
  }
  return 1;
}

void rb_each_subclass(
    const void *root, void (*take)(const void *metadata, void *context), void *context) {
  if (!swift_enumerateAllMetadataSections) return;
  struct search search = {NULL, take, context};
  memcpy(&search.root, (const uint8_t *)root + descriptor_at, sizeof search.root);
  swift_enumerateAllMetadataSections(search_image, &search);
}
