#include "Token.h"

__thread uintptr_t rb_token __attribute__((tls_model("initial-exec"))) = 0;

static uintptr_t last_token = 0;

uintptr_t rb_token_assign(void) {
  if (rb_token == 0) {
    rb_token = __atomic_add_fetch(&last_token, 1, __ATOMIC_RELAXED);
  }
  return rb_token;
}
