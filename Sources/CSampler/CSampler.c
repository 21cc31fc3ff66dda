#define _GNU_SOURCE
#include "CSampler.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum { DEEPEST = 256 };

static uintptr_t *stacks;
static size_t room;
static size_t used;
static uint64_t lost;
static pid_t self;

/* Two words at an address that may be anything: the kernel looks, and says no where nothing is. */
static int two_words(uintptr_t at, uintptr_t into[2]) {
  struct iovec here = {into, 2 * sizeof(uintptr_t)}, there = {(void *)at, 2 * sizeof(uintptr_t)};
  return process_vm_readv(self, &here, 1, &there, 1, 0) == (ssize_t)(2 * sizeof(uintptr_t));
}

static void take(int number, siginfo_t *info, void *where) {
  (void)number;
  (void)info;
  int saved = errno;
  const ucontext_t *context = where;
#if defined(__x86_64__)
  uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  uintptr_t frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
  uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  uintptr_t pc = (uintptr_t)context->uc_mcontext.pc;
  uintptr_t frame = (uintptr_t)context->uc_mcontext.regs[29];
  uintptr_t stack = (uintptr_t)context->uc_mcontext.sp;
#else
#error "the sampler knows x86-64 and arm64"
#endif
  uintptr_t found[DEEPEST];
  size_t depth = 0;
  found[depth++] = pc;
  /* Frames go up the stack; what does not is a register that holds something else. */
  while (depth < DEEPEST && frame >= stack && frame - stack < (64u << 20) &&
         frame % sizeof(uintptr_t) == 0) {
    uintptr_t words[2];
    if (!two_words(frame, words) || words[1] == 0) break;
    found[depth++] = words[1];
    if (words[0] <= frame) break;
    frame = words[0];
  }
  size_t at = __atomic_fetch_add(&used, depth + 1, __ATOMIC_RELAXED);
  if (at + depth + 1 <= room) {
    memcpy(stacks + at + 1, found, depth * sizeof(uintptr_t));
    /* Last: a stack without its depth is one that nobody finished. */
    __atomic_store_n(stacks + at, depth, __ATOMIC_RELEASE);
  } else {
    __atomic_fetch_sub(&used, depth + 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
  }
  errno = saved;
}

int rb_sampler_start(uint32_t microseconds, size_t words) {
  void *space = mmap(NULL, words * sizeof(uintptr_t), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (space == MAP_FAILED) return errno;
  if (stacks) munmap(stacks, room * sizeof(uintptr_t));
  stacks = space;
  room = words;
  used = 0;
  lost = 0;
  self = getpid();
  struct sigaction action = {0};
  action.sa_sigaction = take;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigfillset(&action.sa_mask);
  if (sigaction(SIGPROF, &action, NULL)) return errno;
  struct itimerval often = {{microseconds / 1000000, microseconds % 1000000}, {0, microseconds}};
  return setitimer(ITIMER_PROF, &often, NULL) ? errno : 0;
}

void rb_sampler_stop(void) {
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &never, NULL);
  signal(SIGPROF, SIG_IGN);
}

const uintptr_t *rb_sampler_stacks(size_t *words) {
  size_t all = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
  *words = all < room ? all : room;
  return stacks;
}

uint64_t rb_sampler_lost(void) { return __atomic_load_n(&lost, __ATOMIC_RELAXED); }
