#pragma once
#include <stdint.h>

// Who am I? A number for each thread, never given twice. pthread_self() cannot serve: glibc marks it `const`, so
// the optimiser keeps an old answer across an `await` that changes the thread, and a new thread is given a dead
// thread's value. `pure` lets the reader stay free of retains and yet be asked again after every call that may
// have moved it.
extern __thread uintptr_t rb_token __attribute__((tls_model("initial-exec")));

/// The token of this thread, 0 while it has none.
static inline __attribute__((always_inline, pure)) uintptr_t rb_token_get(void) { return rb_token; }

/// Gives this thread a token if it has none, and returns it.
uintptr_t rb_token_assign(void);
