#define _GNU_SOURCE
#include "Queue.h"

#include <unistd.h>

extern const void *dispatch_get_current_queue(void);
extern void *dispatch_get_specific(const void *key);
extern void dispatch_queue_set_specific(const void *queue, const void *key, void *value,
                                        void (*destructor)(void *));
extern char _dispatch_main_q;

const void *rb_queue_current(void) { return dispatch_get_current_queue(); }

const void *rb_queue_main(void) { return &_dispatch_main_q; }

// A queue's own address is its key: no two living queues share it, and it needs no storage.
void rb_queue_mark(const void *queue) {
  dispatch_queue_set_specific(queue, queue, (void *)queue, 0);
}

bool rb_queue_covers_here(const void *queue) { return dispatch_get_specific(queue) == queue; }

bool rb_thread_is_main(void) {
  static __thread signed char known = -1;
  if (known < 0) known = getpid() == gettid();
  return known;
}
