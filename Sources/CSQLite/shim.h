#pragma once
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "sqlite3.h is missing: run scripts/setup (libsqlite3-dev), or use --disable-default-traits"
#endif
