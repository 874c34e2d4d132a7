// Part of Weir. SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CWeirAtomics.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEIR_THREAD_SANITIZED 1
#endif
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define WEIR_POISON 1
#endif
#endif

// Counting takes a cache line that all threads of the process would share: so it begins when somebody asks.
static bool blocks_are_counted;
static int64_t blocks_alive;

static void count_blocks(int64_t change) {
  if (__atomic_load_n(&blocks_are_counted, __ATOMIC_RELAXED)) __atomic_fetch_add(&blocks_alive, change, __ATOMIC_RELAXED);
}

#ifdef WEIR_ATOMICS_HOOK
static _Thread_local weir_observer thread_observer;
static _Thread_local void *thread_observer_context;
static _Thread_local uint64_t thread_answer;

static bool is_observed(void) { return thread_observer != NULL; }

static bool observe(const char *operation, const void *address, size_t size) {
  weir_observer observer = thread_observer;
  if (observer == NULL) return false;
  thread_observer = NULL;
  bool answer = observer(thread_observer_context, operation, address, size);
  thread_observer = observer;
  return answer;
}

void weir_observe_thread(weir_observer observer, void *context) {
  thread_observer = observer;
  thread_observer_context = context;
}
#else
static bool is_observed(void) { return false; }
static bool observe(const char *operation, const void *address, size_t size) {
  (void)operation, (void)address, (void)size;
  return false;
}
void weir_observe_thread(weir_observer observer, void *context) { (void)observer, (void)context; }
#endif

// The size is rounded up to whole cache lines, so that no block shares a line with a neighbour.
static size_t rounded(size_t size) { return (size + 63) & ~(size_t)63; }

// malloc returns a multiple of 16, so there are at least 16 bytes in front of a block, which hold the address to be freed. Glibc's
// aligned_alloc takes ten times as long as this, as it cuts each block out of a larger one. Large blocks come zeroed from the system: so
// parts that are not used yet take neither memory nor the time to zero them, which would delay a sender by a third of a second where
// millions of events are buffered. (Small blocks do not, as calloc of that glibc bypasses its caches.)
static void *allocate(size_t size, size_t alignment) {
  bool is_large = rounded(size) >= (size_t)1 << 17;
  char *memory = is_large ? calloc(1, rounded(size) + alignment) : malloc(rounded(size) + alignment);
  if (memory == NULL) {
    static const char text[] = "weir: the system has no memory left\n";
    ssize_t written = write(2, text, sizeof text - 1);
    (void)written;
    abort();
  }
  void **block = (void **)(((uintptr_t)memory + alignment) & ~(uintptr_t)(alignment - 1));
  block[-1] = memory;
  if (!is_large) memset(block, 0, rounded(size));
  count_blocks(1);
  return block;
}

void *weir_block_allocate(size_t size) { return allocate(size, 64); }

void *weir_block_allocate_unaligned(size_t size) { return allocate(size, 16); }

void weir_block_free(void *block, size_t size) {
  if (observe("free", block, rounded(size))) return;
#ifdef WEIR_POISON
  volatile uint64_t *words = block;
  for (size_t i = 0; i < rounded(size) / sizeof(uint64_t); i++) words[i] = 0xDBDBDBDBDBDBDBDBull;
#else
  (void)size;
#endif
  count_blocks(-1);
  free(((void **)block)[-1]);
}

extern void *swift_retain_n(void *object, uint32_t count);
extern void swift_release_n(void *object, uint32_t count);
extern void swift_release(void *object);
extern void swift_nonatomic_release(void *object);
extern bool swift_isUniquelyReferenced_nonNull_native(const void *object);
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern void *swift_tryRetain(void *object);

void weir_retain(void *object, uint32_t count) { swift_retain_n(object, count); }
void weir_release(void *object, uint32_t count) { swift_release_n(object, count); }

// The second word of a native object counts its references. A new object has this there: one strong reference, one `unowned` that all strong
// ones have together, and no table for weak ones. Where it has something else, such as nothing that is counted at all, the runtime
// decides. The load acquires what other threads did before they released theirs. ThreadSanitizer sees the load, and not that the runtime
// releases the reference after it: to it, whoever frees the object would race with the load.
void weir_release_context(void *context) {
#ifndef WEIR_THREAD_SANITIZED
  static const uint64_t as_new = 3;
  if ((intptr_t)context > 0 && __atomic_load_n((uint64_t *)context + 1, __ATOMIC_ACQUIRE) == as_new) {
    swift_nonatomic_release(context);
    return;
  }
#endif
  swift_release(context);
}

bool weir_is_uniquely_referenced(const void *object) { return swift_isUniquelyReferenced_nonNull_native(object); }
void weir_unowned_retain(void *object) { swift_unownedRetain(object); }
void weir_end_deinit(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
void weir_unowned_release(void *object) {
  // As in weir_end_deinit: another thread may free the memory when it finds this reference gone.
  __atomic_thread_fence(__ATOMIC_RELEASE);
  swift_unownedRelease(object);
}
void *weir_try_retain(void *object) { return swift_tryRetain(object); }

uint64_t *weir_thread_release_queue(void) {
  static _Thread_local uint64_t words[2];
  return words;
}

const void **weir_thread_scheduler(void) {
  static _Thread_local const void *scheduler;
  return &scheduler;
}

uint64_t *weir_thread_back_off(void) {
  static _Thread_local uint64_t words[2];
  return words;
}

void **weir_thread_trampoline(void) {
  static _Thread_local void *queue;
  return &queue;
}

void **weir_thread_command(void) {
  static _Thread_local void *visit;
  return &visit;
}

int32_t weir_processor_count(void) {
  cpu_set_t allowed;
  // Those of the main thread: the calling one may be pinned.
  if (sched_getaffinity(getpid(), sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int32_t)online : 1;
}

static bool process_fence_works;

// Registering takes microseconds as the process starts, and ten milliseconds once it has other threads.
__attribute__((constructor)) static void register_for_process_fence(void) {
#if defined(WEIR_ATOMICS_HOOK) || defined(__aarch64__)
  process_fence_works = true;
#elif !defined(WEIR_POISON)
  process_fence_works = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
}

bool weir_has_process_fence(void) { return process_fence_works; }

void weir_process_fence(void) {
#ifdef WEIR_ATOMICS_HOOK
  // In hooked builds weir_store_asymmetric_u64 is as strong as the fence would make it. WeirExplorer, which observes both, treats the store
  // as weak until the fence.
  static uint64_t place;
  weir_atomics_hook("process_fence", &place);
#elif !defined(__aarch64__)
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
  static const char message[] =
      "weir: the system refuses membarrier, which it allowed when the process started; allow it in the filter of system calls, or forbid "
      "it from the start\n";
  (void)!write(STDERR_FILENO, message, sizeof message - 1);
  abort();
#endif
}

int64_t weir_blocks_alive(void) {
  __atomic_store_n(&blocks_are_counted, true, __ATOMIC_RELAXED);
  return __atomic_load_n(&blocks_alive, __ATOMIC_ACQUIRE);
}

bool weir_is_thread_sanitized(void) {
#ifdef WEIR_THREAD_SANITIZED
  return true;
#else
  return false;
#endif
}

void weir_yield(void) {
  if (!observe("yield", NULL, 0)) sched_yield();
}

uint64_t weir_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void weir_pause_for(uint64_t nanoseconds) {
  if (nanoseconds == 0) {
    // Reading the clock takes longer than most pause instructions.
    weir_pause();
    return;
  }
  uint64_t start = weir_now();
  do {
    weir_pause();
  } while (weir_now() - start < nanoseconds && !is_observed());
}

void weir_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

void weir_wait_while(const uint32_t *word, uint32_t value, int64_t nanoseconds) {
  if (observe("wait", NULL, 0)) return;
  struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nanoseconds < 0 ? NULL : &limit, NULL, 0);
}

void weir_wake(const uint32_t *word, int32_t count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0); }

// Every x86-64 processor of the last fifteen years has the instruction, but the compiler must be told, in the caller as well: optimising,
// it inlines one into the other, and would call a library function if it did not know of the instruction. ThreadSanitizer would replace the
// instruction by a lock of its own, which the readers of one word do not take; so it is shown operations that change nothing but carry the
// order: those before the instruction release, those after it acquire, since the pair may have changed and changed back in between (ABA).
#if defined(__x86_64__)
#define WEIR_HAS_PAIRS __attribute__((target("cx16")))
#else
#define WEIR_HAS_PAIRS
#endif

#ifdef WEIR_THREAD_SANITIZED
__attribute__((noinline, disable_sanitizer_instrumentation))
#endif
WEIR_HAS_PAIRS static bool compare_exchange_pair(uint64_t *pair, unsigned __int128 expected, unsigned __int128 desired) {
  return __sync_bool_compare_and_swap((unsigned __int128 *)pair, expected, desired);
}

WEIR_HAS_PAIRS bool weir_compare_exchange_seq_cst_pair(
    uint64_t *pair, uint64_t first, uint64_t second, uint64_t new_first, uint64_t new_second) {
  WEIR_HOOK("compare_exchange_seq_cst_pair", pair);
#ifdef WEIR_THREAD_SANITIZED
  __atomic_fetch_add(pair, 0, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(pair + 1, 0, __ATOMIC_SEQ_CST);
#endif
  bool is_replaced = compare_exchange_pair(
      pair, (unsigned __int128)second << 64 | first, (unsigned __int128)new_second << 64 | new_first);
#ifdef WEIR_THREAD_SANITIZED
  (void)__atomic_load_n(pair, __ATOMIC_SEQ_CST);
  (void)__atomic_load_n(pair + 1, __ATOMIC_SEQ_CST);
#endif
  return is_replaced;
}

static uint32_t perturb_period;
static uint64_t perturb_seed = 0x9E3779B97F4A7C15ull;

void weir_perturb(uint32_t period, uint64_t seed) {
  __atomic_store_n(&perturb_seed, seed | 1, __ATOMIC_RELAXED);
  __atomic_store_n(&perturb_period, period, __ATOMIC_RELEASE);
}

#ifdef WEIR_ATOMICS_HOOK
bool weir_atomics_are_hooked(void) { return true; }

static uint64_t draw(void) {
  static _Thread_local uint64_t state;
  if (state == 0) {
    // Threads draw from different streams: the address of a thread's own variable tells them apart.
    state = __atomic_load_n(&perturb_seed, __ATOMIC_RELAXED) ^ (uint64_t)(uintptr_t)&state;
    if (state == 0) state = 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

uint64_t weir_perturbed_patience(uint64_t standard) {
  if (is_observed() || __atomic_load_n(&perturb_period, __ATOMIC_RELAXED) == 0) return standard;
  uint64_t hurry = draw() >> 32 & 3;
  return hurry == 0 ? standard : hurry;
}

bool weir_atomics_hook_load(const char *operation, const void *address, uint64_t *value) {
  if (!is_observed()) {
    weir_atomics_hook(operation, address);
    return false;
  }
  if (!observe(operation, address, 0)) return false;
  *value = thread_answer;
  return true;
}

void weir_answer_load(uint64_t value) { thread_answer = value; }

__attribute__((no_sanitize("address", "thread"))) uint64_t weir_peek(const void *address, size_t size) {
  return size == sizeof(uint32_t) ? *(const volatile uint32_t *)address : *(const volatile uint64_t *)address;
}

void weir_atomics_hook(const char *operation, const void *address) {
  if (is_observed()) {
    observe(operation, address, 0);
    return;
  }
  if (address == NULL) return;
  uint32_t period = __atomic_load_n(&perturb_period, __ATOMIC_RELAXED);
  if (period == 0) return;
  uint64_t state = draw();
  if (state % period != 0) return;
  if (state & (1ull << 40)) {
    sched_yield();
  } else {
    for (uint64_t spins = (state >> 41) & 1023; spins > 0; spins--) weir_pause();
  }
}
#else
bool weir_atomics_are_hooked(void) { return false; }
void weir_answer_load(uint64_t value) { (void)value; }
uint64_t weir_peek(const void *address, size_t size) {
  (void)address, (void)size;
  return 0;
}
#endif

void weir_write_error(const char *text, size_t length) {
  sigset_t broken_pipe, pending, before;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
  bool is_raised = write(2, text, length) < 0 && errno == EPIPE;
  // It is pending on this thread then, and would be delivered with the old mask; one that was pending before stays.
  if (is_raised && !sigismember(&pending, SIGPIPE)) sigtimedwait(&broken_pipe, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
