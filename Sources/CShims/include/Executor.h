#pragma once
#include <stdbool.h>
#include <stdint.h>

__attribute__((swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    const void *identity, uintptr_t implementation, uintptr_t flags);

// Whether the calling task runs on a serial executor. The runtime's own function answers false
// elsewhere, while everything that Swift exposes (preconditionIsolated, assumeIsolated) stops the
// process instead of answering. The two words are those of an UnownedSerialExecutor. Inline,
// because every read of an actor's object asks.
static inline bool rb_executor_is_current(const void *identity, uintptr_t implementation) {
  return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}
