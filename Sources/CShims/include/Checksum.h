#pragma once
#include <stddef.h>
#include <stdint.h>

// CRC-32C: with the processor's own instruction where it has one (8 bytes a cycle), which Swift
// cannot name.
uint32_t rb_crc32c(uint32_t seed, const void *bytes, size_t count);

// Of a node: of the file's identity and the node's place in it, and of all its bytes but the four
// that hold the checksum.
uint32_t rb_crc32c_node(uint64_t file, uint64_t place, const void *node, size_t count);
