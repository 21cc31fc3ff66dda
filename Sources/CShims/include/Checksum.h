#pragma once
#include <stddef.h>
#include <stdint.h>

// CRC-32C: with the processor's own instruction where it has one (8 bytes a cycle), which Swift
// cannot name.
uint32_t rb_crc32c(uint32_t seed, const void *bytes, size_t count);
