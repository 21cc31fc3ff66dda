#define _GNU_SOURCE
#include "Processors.h"
#include <sched.h>

_Static_assert(sizeof(cpu_set_t) == rb_most_processors / 8, "the set has another size");

int rb_processors_get(uint64_t set[16]) {
  return sched_getaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)set);
}

int rb_processors_set(const uint64_t set[16]) {
  return sched_setaffinity(0, sizeof(cpu_set_t), (const cpu_set_t *)set);
}

int rb_processors_batch(void) {
  struct sched_param ordinary = {0};
  return sched_setscheduler(0, SCHED_BATCH, &ordinary);
}
