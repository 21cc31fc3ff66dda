#include "Token.h"

__thread uintptr_t rb_token __attribute__((tls_model("initial-exec"))) = 0;

// A thread that was given no instants stands at one that no object ever has: what is in no realm
// has 0.
__thread uint64_t rb_instant __attribute__((tls_model("initial-exec"))) = 1;

static uintptr_t last_token = 0;
static uint64_t last_block = 0;

uint64_t rb_instant_block(void) {
  return (__atomic_add_fetch(&last_block, 1, __ATOMIC_RELAXED) << 20) + 1;
}

uint64_t *rb_instant_clock(void) {
  if (rb_instant == 1) rb_instant = rb_instant_block();
  return &rb_instant;
}

uintptr_t rb_token_assign(void) {
  if (rb_token == 0) {
    rb_token = __atomic_add_fetch(&last_token, 1, __ATOMIC_RELAXED);
  }
  return rb_token;
}
