// Part of Weir. SPDX-License-Identifier: Apache-2.0
//
// What measurements need and Swift cannot express: values that the optimiser knows nothing about, counts of
// the calling thread's heap allocations and their bytes, and explicit calls of the runtime's reference
// counting.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// Nanoseconds of CLOCK_MONOTONIC.
static inline int64_t bench_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Returns its argument. Compiled in a translation unit of its own, so the caller's compiler has to treat the
/// result as a value known only at run time.
int64_t bench_opaque_int(int64_t value);

/// As `bench_opaque_int`, for a pointer: hides what an object reference refers to.
void *_Nonnull bench_opaque_pointer(void *_Nonnull pointer);

/// Retains and releases a Swift object `count` times through the runtime's public entry points.
void bench_retain_release(void *_Nonnull object, int64_t count);

/// Heap allocations made by the calling thread since it started; 0 for ever when they are not counted.
int64_t bench_allocation_count(void);

/// Bytes the calling thread has asked the heap for since it started; 0 for ever when they are not counted.
int64_t bench_allocated_bytes(void);

/// From now on the calling thread's live blocks are counted.
void bench_watch_live_blocks(void);

/// Blocks the calling thread has allocated and not freed since it began to watch; negative if it has freed
/// more, older ones. What another thread frees is not subtracted.
int64_t bench_live_blocks(void);

/// The bytes of those blocks as glibc reserves them, rounded up and with the 8 bytes in front of each;
/// without what alignment leaves unused between blocks.
int64_t bench_live_bytes(void);

/// False in sanitizer builds: a sanitizer brings its own allocator, which must not be overridden.
bool bench_allocations_are_counted(void);

/// Prints a line on standard error: progress and errors, so that standard output contains only results.
void bench_print_error(const char *_Nonnull line);

/// Writes the buffered standard output. Returns 0, or the error if this or an earlier write has failed.
int32_t bench_flush_output(void);

/// The processor on which the calling thread is running.
int32_t bench_current_processor(void);

/// How many processors this process may use.
int32_t bench_usable_processors(void);
