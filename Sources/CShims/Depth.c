#include "Depth.h"
#include <stddef.h>

__thread void *rb_remains __attribute__((tls_model("initial-exec"))) = NULL;
