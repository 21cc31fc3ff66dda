#include "Scan.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,popcnt")))
#endif

static int known_level = -1;

static int level(void) {
  int found = __atomic_load_n(&known_level, __ATOMIC_RELAXED);
  if (__builtin_expect(found >= 0, 1)) return found;
  found = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) found = 1;
  if (found && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    found = 2;
#endif
  __atomic_store_n(&known_level, found, __ATOMIC_RELAXED);
  return found;
}

void rb_scan_limit(int limit) {
  __atomic_store_n(&known_level, -1, __ATOMIC_RELAXED);
  if (limit < level()) __atomic_store_n(&known_level, limit, __ATOMIC_RELAXED);
}

int rb_scan_level(void) { return level(); }

// Values below a byte become bytes first: they are few and small, and all else then has four widths
// to deal with.
static void spread(const uint8_t *values, unsigned code, size_t count, uint8_t *bytes) {
  unsigned bits = 1u << (code - 1);
  unsigned mask = (1u << bits) - 1;
  for (size_t i = 0; i < count; i += 8) {
    uint64_t eight = 0, packed = 0;
    memcpy(&packed, values + i * bits / 8, bits);
    for (unsigned j = 0; j < 8; j++) eight |= ((packed >> (j * bits)) & mask) << (8 * j);
    memcpy(bytes + i, &eight, 8);
  }
}

// MARK: Sum, least and greatest. The loops are plain; the compiler makes vectors of them.

#define SUM_BODY(type)                                        \
  {                                                           \
    const type *v = values;                                   \
    int64_t sum = 0;                                          \
    for (size_t i = 0; i < count; i++) sum += (int64_t)v[i];  \
    return sum;                                               \
  }
// A hundred and twenty-eight sums of bytes fit into 16 bits, and all 256 into 32.
#define SUM8_BODY                                             \
  {                                                           \
    const int8_t *v = values;                                 \
    int32_t sum = 0;                                          \
    for (size_t i = 0; i < count; i++) sum += v[i];           \
    return sum;                                               \
  }
#define ENDS_BODY(type)                                       \
  {                                                           \
    const type *v = values;                                   \
    type low = v[0], high = v[0];                             \
    for (size_t i = 1; i < count; i++) {                      \
      low = v[i] < low ? v[i] : low;                          \
      high = v[i] > high ? v[i] : high;                       \
    }                                                         \
    *least = low;                                             \
    *greatest = high;                                         \
  }

#define VARIANTS(suffix, attributes)                                                              \
  attributes static int64_t sum8##suffix(const void *values, size_t count) SUM8_BODY              \
  attributes static int64_t sum16##suffix(const void *values, size_t count) SUM_BODY(int16_t)     \
  attributes static int64_t sum32##suffix(const void *values, size_t count) SUM_BODY(int32_t)     \
  attributes static int64_t sum64##suffix(const void *values, size_t count) SUM_BODY(int64_t)     \
  attributes static void ends8##suffix(                                                           \
      const void *values, size_t count, int64_t *least, int64_t *greatest) ENDS_BODY(int8_t)      \
  attributes static void ends16##suffix(                                                          \
      const void *values, size_t count, int64_t *least, int64_t *greatest) ENDS_BODY(int16_t)     \
  attributes static void ends32##suffix(                                                          \
      const void *values, size_t count, int64_t *least, int64_t *greatest) ENDS_BODY(int32_t)     \
  attributes static void ends64##suffix(                                                          \
      const void *values, size_t count, int64_t *least, int64_t *greatest) ENDS_BODY(int64_t)     \
  static const struct {                                                                           \
    int64_t (*sum[4])(const void *, size_t);                                                      \
    void (*ends[4])(const void *, size_t, int64_t *, int64_t *);                                  \
  } plain##suffix = {                                                                             \
      {sum8##suffix, sum16##suffix, sum32##suffix, sum64##suffix},                                \
      {ends8##suffix, ends16##suffix, ends32##suffix, ends64##suffix}};

VARIANTS(_c, )
#if defined(__x86_64__)
VARIANTS(_avx2, AVX2)
VARIANTS(_avx512, AVX512)
#endif

int64_t rb_scan_sum(const void *values, unsigned code, size_t count) {
  uint8_t bytes[264];
  if (code == 0) return 0;
  if (code < 4) {
    if (code == 1) {
      int64_t sum = 0;
      for (size_t i = 0; i < count; i += 64) {
        uint64_t word = 0;
        size_t rest = count - i;
        memcpy(&word, (const uint8_t *)values + i / 8, rest >= 64 ? 8 : (rest + 7) / 8);
        if (rest < 64) word &= ((uint64_t)1 << rest) - 1;
        sum += __builtin_popcountll(word);
      }
      return sum;
    }
    spread(values, code, count, bytes);
    values = bytes;
    code = 4;
  }
#if defined(__x86_64__)
  int at = level();
  if (at == 2) return plain_avx512.sum[code - 4](values, count);
  if (at == 1) return plain_avx2.sum[code - 4](values, count);
#endif
  return plain_c.sum[code - 4](values, count);
}

void rb_scan_ends(
    const void *values, unsigned code, size_t count, int64_t *least, int64_t *greatest) {
  uint8_t bytes[264];
  if (code == 0) {
    *least = *greatest = 0;
    return;
  }
  if (code < 4) {
    spread(values, code, count, bytes);
    values = bytes;
    code = 4;
  }
#if defined(__x86_64__)
  int at = level();
  if (at == 2) return plain_avx512.ends[code - 4](values, count, least, greatest);
  if (at == 1) return plain_avx2.ends[code - 4](values, count, least, greatest);
#endif
  plain_c.ends[code - 4](values, count, least, greatest);
}

// MARK: Narrowing and widening. Plain loops again: the vectors are the compiler's.

#define NARROW_BODY(type)                                                    \
  {                                                                          \
    type *t = target;                                                        \
    for (size_t i = 0; i < count; i++) t[i] = (type)values[i];               \
  }
#define WIDEN_BODY(type)                                                     \
  {                                                                          \
    const type *v = values;                                                  \
    for (size_t i = 0; i < count; i++) target[i] = v[i];                     \
  }
#define WIDTH(suffix, attributes, name, type)                                                     \
  attributes static void narrow##name##suffix(                                                    \
      const int64_t *values, size_t count, void *target) NARROW_BODY(type)                        \
  attributes static void widen##name##suffix(                                                     \
      const void *values, size_t count, int64_t *target) WIDEN_BODY(type)
#define WIDTHS(suffix, attributes)                                                                \
  WIDTH(suffix, attributes, 8, int8_t)                                                            \
  WIDTH(suffix, attributes, 16, int16_t)                                                          \
  WIDTH(suffix, attributes, 32, int32_t)                                                          \
  WIDTH(suffix, attributes, 64, int64_t)                                                          \
  static const struct {                                                                           \
    void (*narrow[4])(const int64_t *, size_t, void *);                                           \
    void (*widen[4])(const void *, size_t, int64_t *);                                            \
  } widths##suffix = {                                                                            \
      {narrow8##suffix, narrow16##suffix, narrow32##suffix, narrow64##suffix},                    \
      {widen8##suffix, widen16##suffix, widen32##suffix, widen64##suffix}};

WIDTHS(_c, )
#if defined(__x86_64__)
WIDTHS(_avx2, AVX2)
WIDTHS(_avx512, AVX512)
#endif

void rb_scan_narrow(const int64_t *values, size_t count, unsigned code, void *target) {
  if (code == 0) return;
  if (code < 4) {
    unsigned bits = 1u << (code - 1), each = 8 / bits;
    uint8_t *bytes = target;
    for (size_t i = 0; i < count; i += each) {
      unsigned byte = 0;
      for (unsigned j = 0; j < each && i + j < count; j++)
        byte |= (unsigned)(uint8_t)values[i + j] << (j * bits);
      *bytes++ = (uint8_t)byte;
    }
    return;
  }
#if defined(__x86_64__)
  int at = level();
  if (at == 2) return widths_avx512.narrow[code - 4](values, count, target);
  if (at == 1) return widths_avx2.narrow[code - 4](values, count, target);
#endif
  widths_c.narrow[code - 4](values, count, target);
}

void rb_scan_widen(const void *values, unsigned code, size_t count, int64_t *target) {
  if (code == 0) {
    memset(target, 0, count * 8);
    return;
  }
  if (code < 4) {
    unsigned bits = 1u << (code - 1), each = 8 / bits, mask = (1u << bits) - 1;
    const uint8_t *bytes = values;
    for (size_t i = 0; i < count; i++)
      target[i] = bytes[i / each] >> (i % each * bits) & mask;
    return;
  }
#if defined(__x86_64__)
  int at = level();
  if (at == 2) return widths_avx512.widen[code - 4](values, count, target);
  if (at == 1) return widths_avx2.widen[code - 4](values, count, target);
#endif
  widths_c.widen[code - 4](values, count, target);
}

// MARK: Range. Value is within low…high if value − low ≤ high − low without signs: one comparison.

#define RANGE_BODY(type, unsigned_type)                                              \
  {                                                                                  \
    const unsigned_type *v = values;                                                 \
    unsigned_type from = (unsigned_type)low, span = (unsigned_type)(high - low);     \
    for (size_t start = 0; start < count; start += 64) {                             \
      uint64_t bits = 0;                                                             \
      size_t end = count - start < 64 ? count - start : 64;                          \
      for (size_t i = 0; i < end; i++)                                               \
        bits |= (uint64_t)((unsigned_type)(v[start + i] - from) <= span) << i;       \
      found[start / 64] = bits;                                                      \
    }                                                                                \
  }

static void range8_c(const void *values, size_t count, int64_t low, int64_t high, uint64_t *found)
    RANGE_BODY(int8_t, uint8_t)
static void range16_c(const void *values, size_t count, int64_t low, int64_t high, uint64_t *found)
    RANGE_BODY(int16_t, uint16_t)
static void range32_c(const void *values, size_t count, int64_t low, int64_t high, uint64_t *found)
    RANGE_BODY(int32_t, uint32_t)
static void range64_c(const void *values, size_t count, int64_t low, int64_t high,
                      uint64_t *found) {
  const int64_t *v = values;
  for (size_t start = 0; start < count; start += 64) {
    uint64_t bits = 0;
    size_t end = count - start < 64 ? count - start : 64;
    for (size_t i = 0; i < end; i++)
      bits |= (uint64_t)(v[start + i] >= low && v[start + i] <= high) << i;
    found[start / 64] = bits;
  }
}

#if defined(__x86_64__)
// The vectors read past the last value, up to the end of a vector of 64; so only whole ones are
// taken, and the rest is left to plain C.
AVX512 static size_t range_avx512(
    const void *values, unsigned code, size_t count, int64_t low, int64_t high, uint64_t *found) {
  size_t whole = count & ~(size_t)63;
  for (size_t start = 0; start < whole; start += 64) {
    uint64_t bits = 0;
    const char *at = (const char *)values + (start << (code - 4));
    switch (code) {
    case 4: {
      __m512i v = _mm512_loadu_si512(at);
      bits = _mm512_cmple_epi8_mask(_mm512_set1_epi8((char)low), v) &
             _mm512_cmple_epi8_mask(v, _mm512_set1_epi8((char)high));
      break;
    }
    case 5:
      for (int i = 0; i < 2; i++) {
        __m512i v = _mm512_loadu_si512(at + 64 * i);
        bits |= (uint64_t)(_mm512_cmple_epi16_mask(_mm512_set1_epi16((short)low), v) &
                           _mm512_cmple_epi16_mask(v, _mm512_set1_epi16((short)high)))
                << (32 * i);
      }
      break;
    case 6:
      for (int i = 0; i < 4; i++) {
        __m512i v = _mm512_loadu_si512(at + 64 * i);
        bits |= (uint64_t)(_mm512_cmple_epi32_mask(_mm512_set1_epi32((int)low), v) &
                           _mm512_cmple_epi32_mask(v, _mm512_set1_epi32((int)high)))
                << (16 * i);
      }
      break;
    default:
      for (int i = 0; i < 8; i++) {
        __m512i v = _mm512_loadu_si512(at + 64 * i);
        bits |= (uint64_t)(_mm512_cmple_epi64_mask(_mm512_set1_epi64(low), v) &
                           _mm512_cmple_epi64_mask(v, _mm512_set1_epi64(high)))
                << (8 * i);
      }
    }
    found[start / 64] = bits;
  }
  return whole;
}

AVX2 static size_t range_avx2(
    const void *values, unsigned code, size_t count, int64_t low, int64_t high, uint64_t *found) {
  size_t whole = count & ~(size_t)63;
  for (size_t start = 0; start < whole; start += 64) {
    uint64_t out = 0;
    const __m256i *at = (const __m256i *)((const char *)values + (start << (code - 4)));
    switch (code) {
    case 4:
      for (int i = 0; i < 2; i++) {
        __m256i v = _mm256_loadu_si256(at + i);
        __m256i no = _mm256_or_si256(
            _mm256_cmpgt_epi8(_mm256_set1_epi8((char)low), v),
            _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)high)));
        out |= (uint64_t)(uint32_t)_mm256_movemask_epi8(no) << (32 * i);
      }
      break;
    case 5:
      for (int i = 0; i < 4; i++) {
        __m256i v = _mm256_loadu_si256(at + i);
        __m256i no = _mm256_or_si256(
            _mm256_cmpgt_epi16(_mm256_set1_epi16((short)low), v),
            _mm256_cmpgt_epi16(v, _mm256_set1_epi16((short)high)));
        __m128i bytes = _mm_packs_epi16(
            _mm256_castsi256_si128(no), _mm256_extracti128_si256(no, 1));
        out |= (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << (16 * i);
      }
      break;
    case 6:
      for (int i = 0; i < 8; i++) {
        __m256i v = _mm256_loadu_si256(at + i);
        __m256i no = _mm256_or_si256(
            _mm256_cmpgt_epi32(_mm256_set1_epi32((int)low), v),
            _mm256_cmpgt_epi32(v, _mm256_set1_epi32((int)high)));
        out |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(no)) << (8 * i);
      }
      break;
    default:
      for (int i = 0; i < 16; i++) {
        __m256i v = _mm256_loadu_si256(at + i);
        __m256i no = _mm256_or_si256(
            _mm256_cmpgt_epi64(_mm256_set1_epi64x(low), v),
            _mm256_cmpgt_epi64(v, _mm256_set1_epi64x(high)));
        out |= (uint64_t)(uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(no)) << (4 * i);
      }
    }
    found[start / 64] = ~out;
  }
  return whole;
}
#endif

void rb_scan_range(
    const void *values, unsigned code, size_t count, int64_t low, int64_t high, uint64_t found[4]) {
  found[0] = found[1] = found[2] = found[3] = 0;
  if (low > high || count == 0) return;
  uint8_t bytes[264];
  if (code < 4) {
    memset(bytes, 0, sizeof bytes);
    if (code > 0) spread(values, code, count, bytes);
    values = bytes;
    code = 4;
  }
  // Bounds that the width cannot hold are brought within it, or leave nothing.
  if (code < 7) {
    int64_t most = ((int64_t)1 << ((8 << (code - 4)) - 1)) - 1;
    if (low > most || high < -most - 1) return;
    if (low < -most - 1) low = -most - 1;
    if (high > most) high = most;
  }
  size_t done = 0;
#if defined(__x86_64__)
  int at = level();
  if (at == 2) done = range_avx512(values, code, count, low, high, found);
  if (at == 1) done = range_avx2(values, code, count, low, high, found);
#endif
  if (done == count) return;
  const char *rest = (const char *)values + (done << (code - 4));
  switch (code) {
  case 4: return range8_c(rest, count - done, low, high, found + done / 64);
  case 5: return range16_c(rest, count - done, low, high, found + done / 64);
  case 6: return range32_c(rest, count - done, low, high, found + done / 64);
  default: return range64_c(rest, count - done, low, high, found + done / 64);
  }
}

#define DOUBLES_BODY                                                                  \
  {                                                                                   \
    const double *v = values;                                                         \
    for (size_t start = 0; start < count; start += 64) {                              \
      uint64_t bits = 0;                                                              \
      size_t end = count - start < 64 ? count - start : 64;                           \
      for (size_t i = 0; i < end; i++)                                                \
        bits |= (uint64_t)(low <= v[start + i] && v[start + i] <= high) << i;         \
      found[start / 64] = bits;                                                       \
    }                                                                                 \
  }
static void doubles_c(const void *values, size_t count, double low, double high, uint64_t *found)
    DOUBLES_BODY

#if defined(__x86_64__)
AVX512 static size_t doubles_avx512(
    const void *values, size_t count, double low, double high, uint64_t *found) {
  size_t whole = count & ~(size_t)63;
  for (size_t start = 0; start < whole; start += 64) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
      __m512d v = _mm512_loadu_pd((const double *)values + start + 8 * i);
      bits |= (uint64_t)(_mm512_cmp_pd_mask(_mm512_set1_pd(low), v, _CMP_LE_OQ) &
                         _mm512_cmp_pd_mask(v, _mm512_set1_pd(high), _CMP_LE_OQ))
              << (8 * i);
    }
    found[start / 64] = bits;
  }
  return whole;
}
AVX2 static size_t doubles_avx2(
    const void *values, size_t count, double low, double high, uint64_t *found) {
  size_t whole = count & ~(size_t)63;
  for (size_t start = 0; start < whole; start += 64) {
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++) {
      __m256d v = _mm256_loadu_pd((const double *)values + start + 4 * i);
      __m256d yes = _mm256_and_pd(
          _mm256_cmp_pd(_mm256_set1_pd(low), v, _CMP_LE_OQ),
          _mm256_cmp_pd(v, _mm256_set1_pd(high), _CMP_LE_OQ));
      bits |= (uint64_t)(uint32_t)_mm256_movemask_pd(yes) << (4 * i);
    }
    found[start / 64] = bits;
  }
  return whole;
}
#endif

void rb_scan_range_double(
    const void *values, size_t count, double low, double high, uint64_t found[4]) {
  found[0] = found[1] = found[2] = found[3] = 0;
  size_t done = 0;
#if defined(__x86_64__)
  int at = level();
  if (at == 2) done = doubles_avx512(values, count, low, high, found);
  if (at == 1) done = doubles_avx2(values, count, low, high, found);
#endif
  if (done < count)
    doubles_c((const double *)values + done, count - done, low, high, found + done / 64);
}

// MARK: Strings. Lengths first, then the first eight bytes, then the rest: few are read at all.

#define LENGTHS_BODY                                                                  \
  {                                                                                   \
    for (size_t start = 0; start < count; start += 64) {                              \
      uint64_t bits = 0;                                                              \
      size_t end = count - start < 64 ? count - start : 64;                           \
      for (size_t i = 0; i < end; i++)                                                \
        bits |= (uint64_t)((uint16_t)(ends[start + i + 1] - ends[start + i]) == length) << i; \
      found[start / 64] = bits;                                                       \
    }                                                                                 \
  }
static void lengths_c(const uint16_t *ends, size_t count, uint16_t length, uint64_t *found)
    LENGTHS_BODY

#if defined(__x86_64__)
AVX512 static size_t lengths_avx512(
    const uint16_t *ends, size_t count, uint16_t length, uint64_t *found) {
  size_t whole = count & ~(size_t)63;
  __m512i wanted = _mm512_set1_epi16((short)length);
  for (size_t start = 0; start < whole; start += 64) {
    uint64_t bits = 0;
    for (int i = 0; i < 2; i++) {
      const uint16_t *at = ends + start + 32 * i;
      __m512i v = _mm512_sub_epi16(_mm512_loadu_si512(at + 1), _mm512_loadu_si512(at));
      bits |= (uint64_t)_mm512_cmpeq_epi16_mask(v, wanted) << (32 * i);
    }
    found[start / 64] = bits;
  }
  return whole;
}
AVX2 static size_t lengths_avx2(
    const uint16_t *ends, size_t count, uint16_t length, uint64_t *found) {
  size_t whole = count & ~(size_t)63;
  __m256i wanted = _mm256_set1_epi16((short)length);
  for (size_t start = 0; start < whole; start += 64) {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) {
      const uint16_t *at = ends + start + 16 * i;
      __m256i v = _mm256_cmpeq_epi16(
          _mm256_sub_epi16(
              _mm256_loadu_si256((const __m256i *)(at + 1)),
              _mm256_loadu_si256((const __m256i *)at)),
          wanted);
      __m128i packed = _mm_packs_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
      bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(packed) << (16 * i);
    }
    found[start / 64] = bits;
  }
  return whole;
}
#endif

void rb_scan_equal(
    const void *ends, size_t count, const void *bytes, size_t length, uint64_t found[4]) {
  found[0] = found[1] = found[2] = found[3] = 0;
  if (length > UINT16_MAX || count == 0) return;
  // The end of each and the one before it, side by side.
  uint16_t bounds[257];
  bounds[0] = 0;
  memcpy(bounds + 1, ends, count * 2);
  size_t done = 0;
#if defined(__x86_64__)
  int at = level();
  if (at == 2) done = lengths_avx512(bounds, count, (uint16_t)length, found);
  if (at == 1) done = lengths_avx2(bounds, count, (uint16_t)length, found);
#endif
  if (done < count)
    lengths_c(bounds + done, count - done, (uint16_t)length, found + done / 64);
  if (length == 0) return;
  const char *heap = (const char *)ends + count * 2;
  uint64_t mask = length >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * length)) - 1;
  uint64_t prefix = 0;
  memcpy(&prefix, bytes, length < 8 ? length : 8);
  for (int word = 0; word < 4; word++) {
    uint64_t rest = found[word], kept = 0;
    while (rest) {
      int bit = __builtin_ctzll(rest);
      const char *candidate = heap + bounds[64 * word + bit];
      uint64_t start;
      memcpy(&start, candidate, 8);
      if ((start & mask) == prefix &&
          (length <= 8 || memcmp(candidate + 8, (const char *)bytes + 8, length - 8) == 0))
        kept |= (uint64_t)1 << bit;
      rest &= rest - 1;
    }
    found[word] = kept;
  }
}
