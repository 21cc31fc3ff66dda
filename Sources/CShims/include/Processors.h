#pragma once
#include <stdint.h>

// Where a thread may run, which Swift sees only where _GNU_SOURCE is defined.

/// How many bits the kernel's set of processors is read with.
enum { rb_most_processors = 1024 };
/// Reads the processors that the calling thread may run on as a set of bits; -1 if the kernel does
/// not tell.
int rb_processors_get(uint64_t set[16]);
int rb_processors_set(const uint64_t set[16]);

/// Has the calling thread, and what it starts, scheduled as work in batches: when it is woken it
/// takes nobody's place. 0, or -1.
int rb_processors_batch(void);
