#pragma once
#include <stdint.h>

// Calls on files whose arguments are variadic or hidden behind _GNU_SOURCE, so that Swift does not see them.

/// A file without a name, gone with its last descriptor; -1 with errno.
int rb_memory_file(const char *name);

/// Opens with O_CLOEXEC and mode 0644; -1 with errno.
int rb_open(const char *path, int writable, int create);

/// Starts to write what the system has of a part of the file to the medium, and does not wait for it. An error is told by
/// the next flush.
void rb_start_writing(int descriptor, uint64_t offset, uint64_t count);

// Locks on one byte that belong to the open file and not to the process: they end with its last descriptor,
// however the process ends, and two openings in one process hold each other off like two processes.

/// 0 if the byte is now ours, EAGAIN if another opening has it, else the error.
int rb_byte_try(int descriptor, uint64_t offset);
/// Waits for the byte.
int rb_byte_lock(int descriptor, uint64_t offset);
int rb_byte_unlock(int descriptor, uint64_t offset);
/// 1 if another opening has one of the bytes.
int rb_byte_held(int descriptor, uint64_t offset, uint64_t count);

/// Makes sure that the bytes have space on the disk, so that touching them in a mapping cannot fail.
int rb_allocate(int descriptor, uint64_t offset, uint64_t count);

/// Nanoseconds since 1970.
uint64_t rb_now(void);
/// Nanoseconds that this machine has run: the same for all processes, and never set back.
uint64_t rb_uptime(void);

/// Counts how often this process was forked: a child sees another number than its parent.
uint32_t rb_fork_count(void);
