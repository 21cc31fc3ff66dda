#pragma once
#include <stdint.h>

// Who am I? A number for each thread, never given twice. pthread_self() cannot serve: glibc marks
// it `const`, so the optimiser keeps an old answer across an `await` that changes the thread, and a
// new thread is given a dead thread's value. `pure` lets the reader stay free of retains and yet be
// asked again after every call that may have moved it.
extern __thread uintptr_t rb_token __attribute__((tls_model("initial-exec")));

/// The token of this thread, 0 while it has none.
static inline __attribute__((always_inline, pure)) uintptr_t rb_token_get(void) { return rb_token; }

/// The instant of this thread: moves on whenever a session at home on it shows something else. No
/// two threads ever have the same, nor has one thread an instant twice; so a place that was right
/// at an instant is right, here, for as long as that lasts.
extern __thread uint64_t rb_instant __attribute__((tls_model("initial-exec")));

static inline __attribute__((always_inline, pure)) uint64_t rb_instant_get(void) {
  return rb_instant;
}

/// Where this thread's instant stands, for its sessions to move it on.
uint64_t *rb_instant_clock(void);

/// The first of the instants that only the caller is given.
uint64_t rb_instant_block(void);

static inline __attribute__((always_inline)) void rb_instant_pass(uint64_t *clock) {
  if (__builtin_expect((++*clock & 0xFFFFF) == 0, 0)) *clock = rb_instant_block();
}

/// Gives this thread a token if it has none, and returns it.
uintptr_t rb_token_assign(void);
