#include "CRealmCore.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define RC_NAME(result, name, parameters) #name,
    RC_FUNCTIONS(RC_NAME)
#undef RC_NAME
};

size_t rc_function_count(void) { return sizeof names / sizeof names[0]; }

const char *rc_function_name(size_t index) { return names[index]; }

int rc_load(const char *path, rc_functions *functions, char *words, size_t room) {
  // Kept open for good: what it left in callbacks and thread-local storage is called until the
  // process ends.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    snprintf(words, room, "%s", dlerror());
    return rc_no_library;
  }
  // The table is nothing but pointers to functions, in the order of the names.
  _Static_assert(
      sizeof(rc_functions) == sizeof names / sizeof names[0] * sizeof(void *),
      "a function has a name, and nothing else is in the table");
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    void *function = dlsym(library, names[index]);
    if (!function) {
      snprintf(words, room, "%s", names[index]);
      return rc_no_function;
    }
    memcpy((char *)functions + index * sizeof(void *), &function, sizeof function);
  }
  return rc_opened;
}
