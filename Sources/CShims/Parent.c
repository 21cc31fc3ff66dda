#include "Parent.h"
#include <signal.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

int rb_end_with_parent(void) {
#if defined(__linux__)
  return prctl(PR_SET_PDEATHSIG, SIGKILL);
#else
  return -1;
#endif
}
