// Part of Weir. SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <sched.h>

#include "CBenchSupport.h"

int32_t bench_current_processor(void) { return sched_getcpu(); }

int32_t bench_usable_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
