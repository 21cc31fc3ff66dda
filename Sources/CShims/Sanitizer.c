// ThreadSanitizer sees what it has instrumented. The quick way of Swift's Mutex is compiled into
// whoever uses it, but what a thread does that has to wait lies in the standard library, which is
// not: a lock handed over there looks like none at all. So a build under the sanitizer stands
// before those three functions and says what they do. No other build has any of this.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

typedef SWIFT void Lock(uint32_t thread, SELF mutex);
typedef SWIFT bool TryLock(SELF mutex);
typedef SWIFT void Unlock(SELF mutex);

SWIFT void rb_mutex_lock_slowly(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool rb_mutex_try_slowly(SELF mutex) __asm__(TRY_LOCK);
SWIFT void rb_mutex_unlock_slowly(SELF mutex) __asm__(UNLOCK);

SWIFT void rb_mutex_lock_slowly(uint32_t thread, SELF mutex) {
  ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool rb_mutex_try_slowly(SELF mutex) {
  bool isLocked = ((TryLock *)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
  if (isLocked) __tsan_acquire(mutex);
  return isLocked;
}

SWIFT void rb_mutex_unlock_slowly(SELF mutex) {
  __tsan_release(mutex);
  ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

// Told to, a process of such a build races with itself: so it is seen that a race would be.

static int raced;

static void *race(void *unused) {
  raced++;
  return unused;
}

__attribute__((constructor)) static void plant_race(void) {
  pthread_t threads[2];
  if (getenv("PLANTED_RACE") == NULL) return;
  for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, race, NULL);
  for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
}

#endif
#endif
