// Part of Weir. SPDX-License-Identifier: Apache-2.0
//
// Counts heap allocations and their bytes by standing in front of glibc: symbols of the executable win over
// those of shared libraries, so the Swift runtime's calls arrive here as well. The counters are thread-local
// because atomic ones would add a locked instruction to every allocation and so change what is measured. Live
// blocks are counted only on request, since that means examining every block that is allocated or freed.
#include "CBenchSupport.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define BENCH_SANITIZED 1
#endif
#endif

#ifdef BENCH_SANITIZED

int64_t bench_allocation_count(void) { return 0; }
int64_t bench_allocated_bytes(void) { return 0; }
void bench_watch_live_blocks(void) {}
int64_t bench_live_blocks(void) { return 0; }
int64_t bench_live_bytes(void) { return 0; }
bool bench_allocations_are_counted(void) { return false; }

#else

// Initial-exec: the variables live in the executable, and a model that allocates lazily would call malloc.
static _Thread_local int64_t allocations __attribute__((tls_model("initial-exec")));
static _Thread_local int64_t bytes __attribute__((tls_model("initial-exec")));

static _Thread_local bool watches_live_blocks __attribute__((tls_model("initial-exec")));
static _Thread_local int64_t live_blocks __attribute__((tls_model("initial-exec")));
static _Thread_local int64_t live_bytes __attribute__((tls_model("initial-exec")));

static void count(size_t size) {
  allocations++;
  bytes += (int64_t)size;
}

// What glibc reserved: the usable size of the block, and the word in front of it.
static int64_t footprint(void *block) { return (int64_t)(malloc_usable_size(block) + sizeof(size_t)); }

static void *came(void *block) {
  if (watches_live_blocks && block != NULL) {
    live_blocks++;
    live_bytes += footprint(block);
  }
  return block;
}

static void goes(void *block) {
  if (watches_live_blocks && block != NULL) {
    live_blocks--;
    live_bytes -= footprint(block);
  }
}

int64_t bench_allocation_count(void) { return allocations; }
int64_t bench_allocated_bytes(void) { return bytes; }
void bench_watch_live_blocks(void) { watches_live_blocks = true; }
int64_t bench_live_blocks(void) { return live_blocks; }
int64_t bench_live_bytes(void) { return live_bytes; }
bool bench_allocations_are_counted(void) { return true; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

void *malloc(size_t size) {
  count(size);
  return came(__libc_malloc(size));
}

void *calloc(size_t members, size_t size) {
  count(members * size);
  return came(__libc_calloc(members, size));
}

void *realloc(void *block, size_t size) {
  count(size);
  goes(block);
  void *moved = __libc_realloc(block, size);
  // If there is no memory the old block stays; with size 0 it is freed, and there is no new one.
  came(moved == NULL && size > 0 ? block : moved);
  return moved;
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return came(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *block = memory;
  return 0;
}

void free(void *block) {
  goes(block);
  __libc_free(block);
}

#endif
