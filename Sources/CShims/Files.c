#define _GNU_SOURCE
#include "Files.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#endif
#include <time.h>
#include <unistd.h>

int rb_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

// Without O_NONBLOCK a pipe would let nobody go on who opens it.
static int open_again(const char *path, int flags) {
  int result;
  do result = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
  while (result < 0 && errno == EINTR);
  return result;
}

int rb_open(const char *path, int writable, int create) {
  return open_again(path, (writable ? O_RDWR : O_RDONLY) | (create ? O_CREAT : 0));
}

int rb_open_own(const char *path, int create) {
  return open_again(path, O_RDWR | O_NOFOLLOW | (create ? O_CREAT : 0));
}

int rb_open_apart(int descriptor, int writable) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return open_again(path, writable ? O_RDWR : O_RDONLY);
}

int rb_leads_straight(const char *path) {
#ifdef SYS_openat2
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  int found = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (found >= 0) close(found);
  return found >= 0;
#else
  return 0;
#endif
}

#ifdef STATX_INO
static int ask(int folder, const char *path, int flags, struct rb_file *file) {
  struct statx found;
  if (statx(folder, path, flags,
            STATX_TYPE | STATX_MODE | STATX_UID | STATX_GID | STATX_INO | STATX_SIZE | STATX_BLOCKS,
            &found) != 0)
    return -1;
  *file = (struct rb_file){
      .device = makedev(found.stx_dev_major, found.stx_dev_minor), .number = found.stx_ino,
      .size = found.stx_size, .mode = found.stx_mode, .owner = found.stx_uid,
      .group = found.stx_gid, .space = found.stx_blocks * 512};
  return 0;
}

int rb_file_of(int descriptor, struct rb_file *file) {
  return ask(descriptor, "", AT_EMPTY_PATH, file);
}

int rb_file_at(const char *path, struct rb_file *file) { return ask(AT_FDCWD, path, 0, file); }
#else
static int told(const struct stat *found, struct rb_file *file) {
  *file = (struct rb_file){
      .device = (uint64_t)found->st_dev, .number = found->st_ino,
      .size = (uint64_t)found->st_size, .mode = found->st_mode, .owner = found->st_uid,
      .group = found->st_gid, .space = (uint64_t)found->st_blocks * 512};
  return 0;
}

int rb_file_of(int descriptor, struct rb_file *file) {
  struct stat found;
  return fstat(descriptor, &found) == 0 ? told(&found, file) : -1;
}

int rb_file_at(const char *path, struct rb_file *file) {
  struct stat found;
  return stat(path, &found) == 0 ? told(&found, file) : -1;
}
#endif

int rb_open_apart_by_name(int descriptor, const char *path) {
  struct rb_file asked, found;
  int result = open_again(path, O_RDONLY);
  if (result >= 0 && rb_file_of(descriptor, &asked) == 0 && rb_file_of(result, &found) == 0 &&
      asked.device == found.device && asked.number == found.number)
    return result;
  if (result >= 0) close(result);
  return rb_open_apart(descriptor, 0);
}

int rb_rename(const char *from, const char *to, int replace) {
  if (replace) return rename(from, to) == 0 ? 0 : errno;
#ifdef __linux__
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  // A file system that cannot: the new name beside the old one, then without it.
  if (link(from, to) != 0) return errno;
  return unlink(from) == 0 ? 0 : errno;
}

void rb_start_writing(int descriptor, uint64_t offset, uint64_t count) {
#ifdef __linux__
  sync_file_range(descriptor, (off64_t)offset, (off64_t)count, SYNC_FILE_RANGE_WRITE);
#endif
}

static int lock_byte(int descriptor, int command, short type, uint64_t offset, uint64_t count) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)offset,
                       .l_len = (off_t)count};
  int result;
  do result = fcntl(descriptor, command, &lock);
  while (result < 0 && errno == EINTR);
  if (result < 0) return errno == EACCES ? EAGAIN : errno;
  return command == F_OFD_GETLK ? (lock.l_type == F_UNLCK ? 0 : EAGAIN) : 0;
}

int rb_byte_try(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLK, F_WRLCK, offset, 1);
}
int rb_byte_lock(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLKW, F_WRLCK, offset, 1);
}
int rb_byte_share(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLK, F_RDLCK, offset, 1);
}
int rb_byte_unlock(int descriptor, uint64_t offset) {
  return lock_byte(descriptor, F_OFD_SETLK, F_UNLCK, offset, 1);
}
int rb_byte_held(int descriptor, uint64_t offset, uint64_t count) {
  return lock_byte(descriptor, F_OFD_GETLK, F_WRLCK, offset, count) != 0;
}

int rb_allocate(int descriptor, uint64_t offset, uint64_t count) {
  int result;
  do result = posix_fallocate(descriptor, (off_t)offset, (off_t)count);
  while (result == EINTR);
  return result;
}

uint64_t rb_data(int descriptor, uint64_t offset) {
  off_t data = lseek(descriptor, (off_t)offset, SEEK_DATA);
  return data >= 0 ? (uint64_t)data : errno == ENXIO ? UINT64_MAX : offset;
}

uint64_t rb_hole(int descriptor, uint64_t offset) {
  off_t hole = lseek(descriptor, (off_t)offset, SEEK_HOLE);
  return hole < 0 ? offset : (uint64_t)hole;
}

uint64_t rb_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t rb_uptime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// What a forked child must not share with its parent.
struct guarded {
  int descriptor;
  void *memory;
  size_t length;
  struct guarded *next;
};
static struct guarded *all_guarded = 0;
static pthread_mutex_t guarding = PTHREAD_MUTEX_INITIALIZER;
// How many children were forked, and are to come. Guarded like the rest.
static uint32_t children = 0;
uint32_t rb_forks = 0;

static void before_fork(void) {
  pthread_mutex_lock(&guarding);
  children++;
}
static void in_parent(void) { pthread_mutex_unlock(&guarding); }

// What is larger is only stored into, which the engine refuses a child.
enum { most_copied = 1 << 24 };

// Puts memory of our own in the place of a mapping, where its file cannot be opened once more: with
// the same bytes in it, or none to touch if they are many. They are read and not copied: of a hole
// in a mapping a full disk would have nothing to give.
static void replace_by_copy(const struct guarded *each) {
  int is_large = each->length > most_copied;
  char *copy = mmap(0, each->length, is_large ? PROT_NONE : PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) abort();
  size_t done = is_large ? each->length : 0;
  while (done < each->length) {
    ssize_t count = pread(each->descriptor, copy + done, each->length - done, (off_t)done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += (size_t)count;
  }
  if (mremap(copy, each->length, each->length, MREMAP_MAYMOVE | MREMAP_FIXED, each->memory) ==
      MAP_FAILED)
    abort();
}

static void in_child(void) {
  rb_forks++;
  int nothing = -1, is_spare = 0;
  for (struct guarded *each = all_guarded; each; each = each->next) {
    if (each->memory) {
      // A mapping keeps what its descriptor had opened, and with that every lock held through it.
      int apart = rb_open_apart(each->descriptor, 0);
      if (apart < 0 ||
          mmap(each->memory, each->length, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, apart, 0) == MAP_FAILED)
        replace_by_copy(each);
      if (apart >= 0) close(apart);
    }
    if (nothing == each->descriptor) continue;
    if (nothing < 0) is_spare = (nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;
    if (nothing >= 0 && dup3(nothing, each->descriptor, O_CLOEXEC) >= 0) continue;
    // There is no room for one more: it is made here.
    close(each->descriptor);
    if (nothing < 0) {
      nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (nothing == each->descriptor) continue;
      is_spare = nothing >= 0;
    }
    if (nothing < 0 || dup3(nothing, each->descriptor, O_CLOEXEC) < 0)
      // Its number may become another file's, which is not ours to close.
      each->descriptor = -1;
  }
  if (is_spare) close(nothing);
  pthread_mutex_unlock(&guarding);
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(before_fork, in_parent, in_child);
}

static uint32_t children_so_far(void) {
  pthread_mutex_lock(&guarding);
  uint32_t count = children;
  pthread_mutex_unlock(&guarding);
  return count;
}

// Returns how many children may have got the descriptor before.
static uint32_t guard(int descriptor, struct guarded **guarded) {
  struct guarded *made = malloc(sizeof *made);
  if (!made) abort();
  *made = (struct guarded){descriptor, 0, 0, 0};
  pthread_mutex_lock(&guarding);
  made->next = all_guarded;
  all_guarded = made;
  uint32_t count = children;
  pthread_mutex_unlock(&guarding);
  *guarded = made;
  return count;
}

int rb_open_guarded(enum rb_opening how, const char *name, void **guarded) {
  while (1) {
    // No lock is held while it is opened, which may take long: whoever forks would wait for it.
    uint32_t before = children_so_far();
    int descriptor = how == rb_opening_memory ? rb_memory_file(name)
                     : how == rb_opening_own  ? rb_open_own(name, 0)
                     : how == rb_making_own   ? rb_open_own(name, 1)
                                              : rb_open(name, how != rb_opening_to_read,
                                                        how == rb_making);
    if (descriptor < 0) return -1;
    struct guarded *made;
    if (guard(descriptor, &made) == before) {
      *guarded = made;
      return descriptor;
    }
    // A child may have it, too. Nothing is held by it yet, and never will be.
    rb_close_guarded(made);
  }
}

void *rb_map_guarded(void *guarded, uint64_t length) {
  struct guarded *each = guarded;
  pthread_mutex_lock(&guarding);
  void *memory = mmap(0, (size_t)length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      each->descriptor, 0);
  int error = errno;
  if (memory != MAP_FAILED) {
    each->memory = memory;
    each->length = (size_t)length;
  }
  pthread_mutex_unlock(&guarding);
  errno = error;
  return memory == MAP_FAILED ? 0 : memory;
}

void rb_close_guarded(void *guarded) {
  struct guarded *each = guarded;
  // First: a child that is forked behind the next step, and keeps what we close, keeps no lock.
  if (each->descriptor >= 0) lock_byte(each->descriptor, F_OFD_SETLK, F_UNLCK, 0, 0);
  pthread_mutex_lock(&guarding);
  for (struct guarded **link = &all_guarded; *link; link = &(*link)->next) {
    if (*link != each) continue;
    *link = each->next;
    break;
  }
  pthread_mutex_unlock(&guarding);
  if (each->memory) munmap(each->memory, each->length);
  if (each->descriptor >= 0) close(each->descriptor);
  free(each);
}
