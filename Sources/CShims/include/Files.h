#pragma once
#include <stdint.h>

// Calls on files whose arguments are variadic or hidden behind _GNU_SOURCE, so that Swift does not
// see them.

/// A file without a name, gone with its last descriptor; -1 with errno.
int rb_memory_file(const char *name);

/// Opens with O_CLOEXEC and mode 0644, and waits for nobody, be it a pipe; -1 with errno.
int rb_open(const char *path, int writable, int create);

/// Opens for reading and writing what no symbolic link leads to; -1 with errno, ELOOP if it is one.
int rb_open_own(const char *path, int create);

/// Opens the same file once more, apart: what it holds is not held by the one it was opened from.
/// -1 where the system cannot.
int rb_open_apart(int descriptor, int writable);
/// The same for reading, by the name that the file most likely has, which takes half as long.
int rb_open_apart_by_name(int descriptor, const char *path);

/// Whether a name leads to something that is there, and no part of it is a symbolic link; 0 also
/// where the system cannot say. In one call, where to resolve a name takes one for each folder.
int rb_leads_straight(const char *path);

/// What the system says about a file; `space` is what it takes on the disk.
struct rb_file {
  uint64_t device, number, size, space;
  uint32_t mode, owner, group;
};

/// Asks for an open file, and for what a name leads to; -1 with `errno` set if that cannot be
/// learned.
///
/// Never for its times: a system that counts them finely (Linux since 6.13) notes who has asked,
/// and the next write then has a new time to keep, which the next flush takes to the medium: one
/// more write for each commit of whoever looks at the file before.
int rb_file_of(int descriptor, struct rb_file *file);
int rb_file_at(const char *path, struct rb_file *file);

/// Gives a file another name, which only with `replace` may be one that exists. 0, or the error.
int rb_rename(const char *from, const char *to, int replace);

/// Starts to write what the system has of a part of the file to the medium, and does not wait for
/// it. An error is told by the next flush.
void rb_start_writing(int descriptor, uint64_t offset, uint64_t count);

// Locks on one byte that belong to the open file and not to the process: they end with its last
// descriptor, however the process ends, and two openings in one process hold each other off like
// two processes.

/// 0 if the byte is now ours, EAGAIN if another opening has it, else the error.
int rb_byte_try(int descriptor, uint64_t offset);
/// Waits for the byte.
int rb_byte_lock(int descriptor, uint64_t offset);
/// As `rb_byte_try`, for a lock that others may have, too; the descriptor need only be open for
/// reading.
int rb_byte_share(int descriptor, uint64_t offset);
int rb_byte_unlock(int descriptor, uint64_t offset);
/// 1 if another opening has one of the bytes.
int rb_byte_held(int descriptor, uint64_t offset, uint64_t count);

/// Makes sure that the bytes have space on the disk, so that touching them in a mapping cannot
/// fail.
int rb_allocate(int descriptor, uint64_t offset, uint64_t count);

/// Where a file has its first bytes from an offset on that are no hole, or the greatest number if
/// there are none; the offset itself if the system cannot say.
uint64_t rb_data(int descriptor, uint64_t offset);

/// Where the first hole of a file is from an offset on, or its end; the offset itself if the system
/// cannot say.
uint64_t rb_hole(int descriptor, uint64_t offset);

/// Nanoseconds since 1970.
uint64_t rb_now(void);
/// Nanoseconds that this machine has run: the same for all processes, and never set back.
uint64_t rb_uptime(void);

/// Counts how often this process was forked: a child sees another number than its parent.
extern uint32_t rb_forks;
static inline uint32_t rb_fork_count(void) { return rb_forks; }

/// How `rb_open_guarded` opens: as `rb_open`, `rb_open_own` and `rb_memory_file` do.
enum rb_opening {
  rb_opening_to_read,
  rb_opening_to_write,
  rb_making,
  rb_opening_own,
  rb_making_own,
  rb_opening_memory
};

/// Opens what a forked child shall not share: it neither holds what the descriptor holds nor stores
/// where the parent does, at whatever moment it was forked. In a child the descriptor is one of
/// /dev/null, and the shared mapping of its file, if there is one, a private copy; where no more
/// files can be opened, a large one is taken away. -1 with errno; `guarded` stands for it.
int rb_open_guarded(enum rb_opening how, const char *name, void **guarded);

/// Maps it for storing, once; null with errno.
void *rb_map_guarded(void *guarded, uint64_t length);

/// Ends its locks and its mapping, and closes it.
void rb_close_guarded(void *guarded);
