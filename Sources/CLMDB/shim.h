#pragma once
#if __has_include(<lmdb.h>)
#include <lmdb.h>
#else
#error "lmdb.h is missing: run scripts/setup (Debian package liblmdb-dev), or build with --disable-default-traits"
#endif
