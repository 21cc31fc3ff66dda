#include "Rows.h"

// The bits of so many bytes, of eight at most.
#define RB_OWN(bytes) \
  ((bytes) <= 0 ? 0 : (bytes) >= 8 ? ~0ull : (1ull << 8 * ((bytes) & 7)) - 1)
#define RB_FORM(count) {RB_OWN(count), RB_OWN((count) - 8), (0xE0ull | (count)) << 56, 0}

const struct rb_small_form rb_small_forms[16] = {
    RB_FORM(0),  RB_FORM(1),  RB_FORM(2),  RB_FORM(3), RB_FORM(4),  RB_FORM(5),
    RB_FORM(6),  RB_FORM(7),  RB_FORM(8),  RB_FORM(9), RB_FORM(10), RB_FORM(11),
    RB_FORM(12), RB_FORM(13), RB_FORM(14), RB_FORM(15)};

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
