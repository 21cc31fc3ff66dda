#pragma once
// What Swift cannot say itself. Each header names one matter; nothing here knows the engine.
#include "Words.h"
