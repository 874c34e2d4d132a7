// Part of Weir. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The bytes that the process has allocated and not freed, in all threads. Unlike resident memory, which
/// changes by pages, this shows a leak of one block a round after a few thousand rounds.
intptr_t test_allocated_bytes(void);

/// For how long the thread has kept a processor busy. In C since the compiler takes `timespec` for a type of a
/// module that cannot be imported, depending on which files it compiles together.
int64_t test_thread_nanoseconds(void);

/// Restricts the main thread, and threads that it starts, to one processor. False if the system refuses.
bool test_use_one_processor(void);

/// The name of the calling thread.
const char *_Nonnull test_thread_name(void);

/// `fork`, which Swift hides, as little may be done in the child.
int32_t test_fork(void);

/// Lets other processes of the same user read the memory of this one.
void test_allow_inspection(void);
