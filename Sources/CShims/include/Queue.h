#pragma once
#include <stdbool.h>

// What libdispatch exports but Swift's overlay for Linux leaves out. The pointers are
// dispatch_queue_t.

/// The queue whose block runs here; the main queue on the main thread outside any block.
const void *rb_queue_current(void);
/// The main queue, for comparing.
const void *rb_queue_main(void);
/// Marks a queue, so that rb_queue_covers_here finds it. May be repeated.
void rb_queue_mark(const void *queue);
/// Whether the code runs on a marked queue or on a queue that targets it.
bool rb_queue_covers_here(const void *queue);
/// Whether this is the process's first thread.
bool rb_thread_is_main(void);
