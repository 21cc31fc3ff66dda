#include "Executor.h"

__attribute__((swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    const void *identity, uintptr_t implementation, uintptr_t flags);

bool rb_executor_is_current(const void *identity, uintptr_t implementation) {
  return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}
