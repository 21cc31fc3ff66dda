#pragma once
#include <stddef.h>
#include <stdint.h>

// The classes that Swift images declare. Where Objective-C's runtime is there, one asks it;
// elsewhere each image has registered the list of its types with Swift's.

/// Calls `take` with the metadata of each loaded class that inherits from the class whose metadata
/// `root` is, and has no type parameters. With none where Swift's runtime does not tell.
void rb_each_subclass(
    const void *root, void (*take)(const void *metadata, void *context), void *context);

/// A stored property of a class, as an image has it.
struct rb_field {
  const char *label;
  /// The type's mangled name, and what it has in it of references.
  const uint8_t *type;
  size_t type_bytes;
  size_t offset;
};

/// The stored properties that a class adds to those of its superclass.
struct rb_fields {
  const uint8_t *records;
  const uintptr_t *offsets;
  const void *descriptor;
  uint32_t count, record_bytes;
};

/// Finds these without asking for the type of any; 0 for a class with type parameters, one of a
/// library whose layout may change, and one that says nothing of them. `class` must have been used.
int rb_fields_of(const void *class, struct rb_fields *fields);
struct rb_field rb_field_at(const struct rb_fields *fields, uint32_t index);

/// The metadata of a class's superclass; null if there is none.
const void *rb_superclass(const void *class);

/// What tells a structure, be it with parameters, from all others.
const void *rb_descriptor_of_structure(const void *metadata);

enum rb_naming {
  /// The name cannot be read without the runtime.
  rb_naming_unknown,
  /// It is of something else.
  rb_naming_other,
  /// It is of that structure.
  rb_naming_structure,
};

/// Whether the mangled name of a type is that of a structure; `rest` is what stands behind.
enum rb_naming rb_names(const uint8_t *type, const void *structure, const uint8_t **rest);
