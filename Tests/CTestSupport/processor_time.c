// Part of Weir. SPDX-License-Identifier: Apache-2.0
#include "CTestSupport.h"

#include <time.h>

int64_t test_thread_nanoseconds(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}
