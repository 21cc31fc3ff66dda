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

enum {
  fields_at = 16,
  field_count_at = 36,
  field_offsets_at = 40,
  resilient_superclass_bit = 1u << 29,
  field_record_bytes_at = 10,
  field_records_count_at = 12,
  field_records_at = 16,
  field_type_at = 4,
  field_name_at = 8,
};

static uint32_t word(const uint8_t *from) {
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

int rb_fields_of(const void *class, struct rb_fields *fields) {
  const uint8_t *descriptor;
  memcpy(&descriptor, (const uint8_t *)class + descriptor_at, sizeof descriptor);
  if (descriptor == NULL || (flags(descriptor) & kind_mask) != class_kind) return 0;
  if (flags(descriptor) & (generic_bit | resilient_superclass_bit)) return 0;
  *fields = (struct rb_fields){
      .descriptor = descriptor, .count = word(descriptor + field_count_at)};
  if (fields->count == 0) return 1;
  const uint8_t *list = follow(descriptor + fields_at);
  if (list == NULL || word(list + field_records_count_at) != fields->count) return 0;
  uint16_t bytes;
  memcpy(&bytes, list + field_record_bytes_at, sizeof bytes);
  fields->record_bytes = bytes;
  fields->records = list + field_records_at;
  fields->offsets = (const uintptr_t *)class + word(descriptor + field_offsets_at);
  return bytes >= 12;
}

static size_t bytes_of_name(const uint8_t *name) {
  const uint8_t *end = name;
  // References stand in it as they are, be they zeros.
  while (*end) end += *end < 0x18 ? 5 : *end < 0x20 ? 9 : 1;
  return (size_t)(end - name);
}

struct rb_field rb_field_at(const struct rb_fields *fields, uint32_t index) {
  const uint8_t *record = fields->records + (size_t)index * fields->record_bytes;
  const uint8_t *type = follow(record + field_type_at);
  return (struct rb_field){
      .label = (const char *)follow(record + field_name_at), .type = type,
      .type_bytes = type == NULL ? 0 : bytes_of_name(type), .offset = fields->offsets[index]};
}

const void *rb_superclass(const void *class) {
  const void *found;
  memcpy(&found, (const uint8_t *)class + sizeof found, sizeof found);
  return found;
}

const void *rb_descriptor_of_structure(const void *metadata) {
  const void *found;
  memcpy(&found, (const uint8_t *)metadata + sizeof found, sizeof found);
  return found;
}

enum rb_naming rb_names(const uint8_t *type, const void *structure, const uint8_t **rest) {
  // A type of the standard library, or one of the machine's.
  if (*type == 'S' || *type == 's' || *type == 'B') return rb_naming_other;
  if (*type != 1 && *type != 2) return rb_naming_unknown;
  const uint8_t *found = follow(type + 1);
  if (found != NULL && *type == 2) memcpy(&found, (const void *)found, sizeof found);
  *rest = type + 5;
  return found == structure ? rb_naming_structure : rb_naming_other;
}
