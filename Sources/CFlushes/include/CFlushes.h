#pragma once
#include <stdint.h>

// How often anything in this process asked for durability, and how much it wrote. Engines differ in
// how they flush, and two of them are foreign libraries: the one place that sees them all is the C
// library's own functions, which a program may replace. Benchmarks alone links this.

/// Calls of fsync, fdatasync and msync(MS_SYNC) so far, over all threads.
uint64_t rb_flushes(void);
/// Nanoseconds that those calls took together.
uint64_t rb_flushing(void);
/// Bytes that write, pwrite and their kin have written so far, to files and elsewhere, over all
/// threads.
uint64_t rb_written(void);
/// Makes each flush wait this many nanoseconds more: a slower disk, to see whether a change is
/// noticed.
void rb_flushes_delay(uint64_t nanoseconds);
