#pragma once
#if __has_include(<jemalloc/jemalloc.h>)
#include <jemalloc/jemalloc.h>
#else
#error "jemalloc.h is missing: run scripts/setup (libjemalloc-dev), or use --disable-default-traits"
#endif
