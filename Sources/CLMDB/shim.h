#pragma once
#if __has_include(<lmdb.h>)
#include <lmdb.h>
#else
#error "lmdb.h is missing: run scripts/setup (liblmdb-dev), or use --disable-default-traits"
#endif
