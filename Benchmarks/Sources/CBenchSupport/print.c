// Part of Weir. SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>

#include "CBenchSupport.h"

void bench_print_error(const char *line) { fprintf(stderr, "%s\n", line); }

int32_t bench_flush_output(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
  // Of an earlier failure only the fact is known, not the error.
  return errno != 0 ? errno : EIO;
}
