#include "Rows.h"

bool rb_is_text(const void *start, size_t count) {
  const uint8_t *at = start, *end = at + count;
  while (at < end) {
    uint8_t first = *at++;
    if (first < 0x80) continue;
    // How many bytes follow, and from where to where the first of them lies: no longer forms, no
    // surrogates.
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4 || end - at < more) return false;
    uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (*at < low || *at > high) return false;
    for (at++; more > 1; more--, at++) {
      if ((*at & 0xC0) != 0x80) return false;
    }
  }
  return true;
}
