// Part of Weir. SPDX-License-Identifier: Apache-2.0
#include "CBenchSupport.h"

__attribute__((noinline)) int64_t bench_opaque_int(int64_t value) { return value; }

__attribute__((noinline)) void *bench_opaque_pointer(void *pointer) { return pointer; }

// Entry points of libswiftCore that every compiled Swift program calls.
extern void *swift_retain(void *object);
extern void swift_release(void *object);

__attribute__((noinline)) void bench_retain_release(void *object, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    swift_retain(object);
    swift_release(object);
  }
}
