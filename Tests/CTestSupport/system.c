// Part of Weir. SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CTestSupport.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

int32_t test_fork(void) { return fork(); }

void test_allow_inspection(void) { prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); }

bool test_use_one_processor(void) {
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  CPU_ZERO(&one);
  for (int number = 0; number < CPU_SETSIZE; number++) {
    if (!CPU_ISSET(number, &allowed)) continue;
    CPU_SET(number, &one);
    return sched_setaffinity(getpid(), sizeof one, &one) == 0;
  }
  return false;
}

const char *test_thread_name(void) {
  static _Thread_local char name[16];
  prctl(PR_GET_NAME, name);
  return name;
}
