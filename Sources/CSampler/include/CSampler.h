#pragma once
#include <stddef.h>
#include <stdint.h>

// Where the processor's time goes, for machines without perf: a signal after so much processor time
// of the process, and the frame pointers of whichever thread it finds. Nothing in the handler
// allocates, locks or touches memory that may not be there.

/// Takes a stack whenever so many microseconds of processor time have passed, until `words` are
/// full. 0, or an error number.
int rb_sampler_start(uint32_t microseconds, size_t words);
void rb_sampler_stop(void);

/// What was taken: for each stack its depth and so many addresses, the innermost first. Valid until
/// the next start.
const uintptr_t *rb_sampler_stacks(size_t *words);
/// Stacks for which there was no room.
uint64_t rb_sampler_lost(void);
