// Part of Weir. SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "CBenchSupport.h"

void bench_print_error(const char *line) { fprintf(stderr, "%s\n", line); }
