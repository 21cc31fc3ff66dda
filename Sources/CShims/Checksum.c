#include "Checksum.h"
#include <string.h>

static uint32_t table[256];
static int table_ready = 0;

static void make_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ (0x82F63B78u & (0u - (value & 1)));
    table[i] = value;
  }
  __atomic_store_n(&table_ready, 1, __ATOMIC_RELEASE);
}

static uint32_t portable(uint32_t crc, const unsigned char *bytes, size_t count) {
  // Every thread computes the same table, so a race to fill it is harmless.
  if (!__atomic_load_n(&table_ready, __ATOMIC_ACQUIRE)) make_table();
  while (count--) crc = table[(crc ^ *bytes++) & 0xFF] ^ (crc >> 8);
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
static uint32_t hardware(uint32_t crc, const unsigned char *bytes, size_t count) {
  uint64_t value = crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    value = __builtin_ia32_crc32di(value, word);
    bytes += 8;
    count -= 8;
  }
  crc = (uint32_t)value;
  while (count--) crc = __builtin_ia32_crc32qi(crc, *bytes++);
  return crc;
}
#endif

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
static uint32_t hardware_node(
    uint64_t file, uint64_t place, const unsigned char *node, size_t count) {
  uint32_t head;
  memcpy(&head, node, 4);
  uint64_t value = __builtin_ia32_crc32di(__builtin_ia32_crc32di(~0u, file), place);
  return hardware(__builtin_ia32_crc32si((uint32_t)value, head), node + 8, count - 8);
}
#endif

uint32_t rb_crc32c_node(uint64_t file, uint64_t place, const void *node, size_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~hardware_node(file, place, node, count);
#endif
  uint64_t where[2] = {file, place};
  uint32_t crc = portable(~0u, (const unsigned char *)where, 16);
  crc = portable(crc, node, 4);
  return ~portable(crc, (const unsigned char *)node + 8, count - 8);
}

uint32_t rb_crc32c(uint32_t seed, const void *bytes, size_t count) {
  uint32_t crc = ~seed;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~hardware(crc, bytes, count);
#endif
  return ~portable(crc, bytes, count);
}
