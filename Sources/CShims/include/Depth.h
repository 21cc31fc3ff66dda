#pragma once

/// Where free objects are let go that others on this thread are being let go with; nil while none
/// are.
extern __thread void *rb_remains __attribute__((tls_model("initial-exec")));

static inline void *rb_remains_get(void) { return rb_remains; }
static inline void rb_remains_set(void *remains) { rb_remains = remains; }
