#pragma once
// What Swift cannot say itself. Each header names one matter; nothing here knows the engine.
#include "Checksum.h"
#include "Executor.h"
#include "Files.h"
#include "Futex.h"
#include "Held.h"
#include "Perf.h"
#include "Queue.h"
#include "Retain.h"
#include "Rows.h"
#include "Scan.h"
#include "Token.h"
#include "Words.h"
