#pragma once

// The classes that Swift images declare. Where Objective-C's runtime is there, one asks it;
// elsewhere each image has registered the list of its types with Swift's.

/// Calls `take` with the metadata of each loaded class that inherits from the class whose metadata
/// `root` is, and has no type parameters. With none where Swift's runtime does not tell.
void rb_each_subclass(
    const void *root, void (*take)(const void *metadata, void *context), void *context);
