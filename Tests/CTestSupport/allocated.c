// Part of Weir. SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <malloc.h>
#include <stddef.h>

// A sanitizer has an allocator of its own.
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

intptr_t test_allocated_bytes(void) {
  if (__sanitizer_get_current_allocated_bytes) return (intptr_t)__sanitizer_get_current_allocated_bytes();
  struct mallinfo2 information = mallinfo2();
  return (intptr_t)(information.uordblks + information.hblkhd);
}
