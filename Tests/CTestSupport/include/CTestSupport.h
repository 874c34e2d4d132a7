// Part of Weir. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// The bytes that the process has allocated and not freed, in all threads. Unlike resident memory, which
/// changes by pages, this shows a leak of one block a round after a few thousand rounds.
intptr_t test_allocated_bytes(void);

/// For how long the thread has kept a processor busy. In C since the compiler takes `timespec` for a type of a
/// module that cannot be imported, depending on which files it compiles together.
int64_t test_thread_nanoseconds(void);
