#pragma once
#include <stdbool.h>
#include <stdint.h>

// Whether the calling task runs on a serial executor. The runtime's own function answers false elsewhere, while
// everything that Swift exposes (preconditionIsolated, assumeIsolated) stops the process instead of answering.
// The two words are those of an UnownedSerialExecutor.
bool rb_executor_is_current(const void *identity, uintptr_t implementation);
