// Part of Weir. SPDX-License-Identifier: Apache-2.0
//
// The atomic primitives of Weir and the memory they guard. All atomics of the core are here, but for one load: see loadAcquire in
// AtomicWord.swift. (WeirFoundation has three words of its own: in DrainWatch.swift, SystemListeners.swift and CWeirSystem.c.)
//
// Names say what an access does and how strongly it is ordered:
//   weir_<operation>_<ordering>_<width>
//   operation  load store exchange compare_exchange add sub or and
//   ordering   relaxed acquire release acq_rel seq_cst
//   width      u32 u64
// Read-modify-write functions return the previous value. There is no stand-alone fence, on purpose: ThreadSanitizer does not
// understand fences, so order is always carried by an access. weir_process_fence is an exception; in hooked builds, which are
// those that are checked, the accesses that rely on it carry the order themselves. So are the fences before memory is let go
// of that the runtime frees.
//
// Orderings map to the C11 model through compiler builtins, which ThreadSanitizer instruments even where these functions are
// inlined into Swift. The functions never touch plain memory, because plain accesses in a header seen by the Swift importer are
// invisible to it.
//
// WEIR_ATOMICS_HOOK (pass -Xcc -DWEIR_ATOMICS_HOOK=1 to the whole build) calls weir_atomics_hook before every operation.
// CWeirAtomics.c perturbs the schedule there, or lets the observer of the thread decide which thread continues: WeirExplorer is
// built on that.
#ifndef WEIR_ATOMICS_H
#define WEIR_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_INLINE static inline __attribute__((always_inline))

// For Swift: whether operations call the hook.
#ifdef WEIR_ATOMICS_HOOK
#define WEIR_IS_HOOKED 1
void weir_atomics_hook(const char *_Nonnull operation, const void *_Nullable address);
bool weir_atomics_hook_load(const char *_Nonnull operation, const void *_Nonnull address, uint64_t *_Nonnull value);
#define WEIR_HOOK(operation, address) weir_atomics_hook(operation, (const void *)(address))
#define WEIR_HOOK_LOAD(T, operation, address)                                                            \
  uint64_t older;                                                                                        \
  if (weir_atomics_hook_load(operation, (const void *)(address), &older)) return (T)(uintptr_t)older
#else
#define WEIR_IS_HOOKED 0
#define WEIR_HOOK(operation, address) ((void)0)
#define WEIR_HOOK_LOAD(T, operation, address) ((void)0)
#endif

#define WEIR_LOAD(T, W, O, ORDER)                                                                        \
  WEIR_INLINE T weir_load_##O##_##W(const T *_Nonnull p) {                                               \
    WEIR_HOOK_LOAD(T, "load_" #O "_" #W, p);                                                             \
    return __atomic_load_n(p, ORDER);                                                                    \
  }
#define WEIR_STORE(T, W, O, ORDER)                                                                       \
  WEIR_INLINE void weir_store_##O##_##W(T *_Nonnull p, T value) {                                        \
    WEIR_HOOK("store_" #O "_" #W, p);                                                                    \
    __atomic_store_n(p, value, ORDER);                                                                   \
  }
#define WEIR_RMW(T, W, NAME, BUILTIN, O, ORDER)                                                          \
  WEIR_INLINE T weir_##NAME##_##O##_##W(T *_Nonnull p, T value) {                                        \
    WEIR_HOOK(#NAME "_" #O "_" #W, p);                                                                   \
    return BUILTIN(p, value, ORDER);                                                                     \
  }
// `expected` is passed by value: a pointer to a local would make Swift emit stack protection in every caller.
#define WEIR_CAS(T, W, O, ORDER, FAILURE)                                                                \
  WEIR_INLINE bool weir_compare_exchange_##O##_##W(T *_Nonnull p, T expected, T desired) {               \
    WEIR_HOOK("compare_exchange_" #O "_" #W, p);                                                         \
    return __atomic_compare_exchange_n(p, &expected, desired, false, ORDER, FAILURE);                    \
  }

// As many as are used: those that only a mutant of perf/mutants uses are made there.
#define WEIR_ACCESSES(T, W)                                                                              \
  WEIR_LOAD(T, W, relaxed, __ATOMIC_RELAXED)                                                             \
  WEIR_LOAD(T, W, acquire, __ATOMIC_ACQUIRE)                                                             \
  WEIR_LOAD(T, W, seq_cst, __ATOMIC_SEQ_CST)                                                             \
  WEIR_STORE(T, W, relaxed, __ATOMIC_RELAXED)                                                            \
  WEIR_STORE(T, W, release, __ATOMIC_RELEASE)                                                            \
  WEIR_RMW(T, W, add, __atomic_fetch_add, seq_cst, __ATOMIC_SEQ_CST)

WEIR_ACCESSES(uint32_t, u32)
WEIR_ACCESSES(uint64_t, u64)
WEIR_RMW(uint32_t, u32, or, __atomic_fetch_or, seq_cst, __ATOMIC_SEQ_CST)
WEIR_RMW(uint64_t, u64, add, __atomic_fetch_add, relaxed, __ATOMIC_RELAXED)
WEIR_RMW(uint64_t, u64, add, __atomic_fetch_add, acq_rel, __ATOMIC_ACQ_REL)
WEIR_RMW(uint64_t, u64, sub, __atomic_fetch_sub, relaxed, __ATOMIC_RELAXED)
WEIR_RMW(uint64_t, u64, sub, __atomic_fetch_sub, seq_cst, __ATOMIC_SEQ_CST)
WEIR_RMW(uint64_t, u64, or, __atomic_fetch_or, acq_rel, __ATOMIC_ACQ_REL)
WEIR_RMW(uint64_t, u64, or, __atomic_fetch_or, seq_cst, __ATOMIC_SEQ_CST)
WEIR_RMW(uint64_t, u64, and, __atomic_fetch_and, acq_rel, __ATOMIC_ACQ_REL)
WEIR_RMW(uint64_t, u64, exchange, __atomic_exchange_n, seq_cst, __ATOMIC_SEQ_CST)
WEIR_CAS(uint64_t, u64, relaxed, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
WEIR_CAS(uint64_t, u64, seq_cst, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

/// A sequentially consistent store, of a thread that executes a sequentially consistent read-modify-write before it reads what the
/// order counts for. On x86-64 that is the fence for both, and the store is an ordinary one.
WEIR_INLINE void weir_store_fenced_u32(uint32_t *_Nonnull p, uint32_t value) {
  WEIR_HOOK("store_seq_cst_u32", p);
#if defined(__x86_64__) && !defined(WEIR_ATOMICS_HOOK)
  __atomic_store_n(p, value, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
  __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
#endif
}

/// Replaces the two words at `pair`, which is 16-byte aligned, if they are as expected, in one atomic operation: a reader that
/// finds the same second word before and after reading the first one has read a pair that was there, if no second word is ever
/// reused. It may fail for no reason: some arm64 processors load a pair as one only by storing it back.
bool weir_compare_exchange_seq_cst_pair(
    uint64_t *_Nonnull pair, uint64_t first, uint64_t second, uint64_t new_first, uint64_t new_second);

/// A hint to the processor that this thread spins. It takes 3 to 60 ns, depending on the processor.
WEIR_INLINE void weir_pause(void) {
  WEIR_HOOK("pause", NULL);
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // A yield instruction takes no time on most of these processors: loops that wait for a number of pauses would not wait.
  __asm__ __volatile__("isb");
#endif
}

/// Nanoseconds of a clock that only moves forward.
uint64_t weir_now(void);

/// Pauses for as many nanoseconds, and a little longer; 0 is one pause instruction. For the hook it is one pause, and an observed thread
/// does not wait.
void weir_pause_for(uint64_t nanoseconds);

/// Writes to standard error, in one call. If that is a pipe that nobody reads any more, the text is lost, and SIGPIPE does not stop
/// the process.
void weir_write_error(const char *_Nonnull text, size_t length);

/// A store that the compiler keeps before all later accesses. The processor may let later loads overtake it (store buffering),
/// until a weir_process_fence of another thread. In hooked builds it is sequentially consistent, and the fence only calls the
/// hook; on arm64 it is, too, as that is the instruction of a release store there, and the fence does nothing. So the loads
/// that must not overtake it are sequentially consistent themselves.
WEIR_INLINE void weir_store_asymmetric_u64(uint64_t *_Nonnull p, uint64_t value) {
  WEIR_HOOK("store_asymmetric_u64", p);
#ifdef WEIR_ATOMICS_HOOK
  (void)__atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);
#elif defined(__aarch64__)
  __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
#else
  __atomic_store_n(p, value, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

/// Whether weir_process_fence works here: not on kernels before 4.14, not where the system call is forbidden, and in builds for
/// sanitizers only if they are hooked.
bool weir_has_process_fence(void);

/// A sequentially consistent fence in all running threads of the process at once, at the price of a system call.
void weir_process_fence(void);

/// A number that no other live thread has.
WEIR_INLINE uint64_t weir_thread(void) { return (uint64_t)(uintptr_t)__builtin_thread_pointer(); }

/// Allocates zeroed memory on a cache line of its own (64-byte aligned); aborts when the system has none left.
void *_Nonnull weir_block_allocate(size_t size);

/// The same in less memory, at a multiple of 16, where sharing cache lines does no harm.
void *_Nonnull weir_block_allocate_unaligned(size_t size);

/// Frees a block. Sanitizer builds overwrite it first: ThreadSanitizer does not see frees, but it sees that write race with a
/// reader that is still there.
void weir_block_free(void *_Nonnull block, size_t size);

/// How many more blocks have been allocated than freed since the first call, in the whole process: may be negative. For leak tests.
int64_t weir_blocks_alive(void);

// Functions of the Swift runtime that Swift has no name for. Called through the shim, not by their own names: the optimiser of Swift
// knows these, and takes calls of swift_retain_n and swift_release_n for its own, which it makes in its last pass only.

/// Retain and release a native Swift object `count` times in one atomic operation, as the compiler does for several copies of a
/// reference.
void weir_retain(void *_Nonnull object, uint32_t count);
void weir_release(void *_Nonnull object, uint32_t count);
/// Releases what a closure keeps: a native Swift object, or nothing. If the caller has all there is of references to it, no other
/// thread has any to count, and there is no atomic operation.
void weir_release_context(void *_Nullable context);
/// Whether there is exactly one strong reference to an object.
bool weir_is_uniquely_referenced(const void *_Nonnull object);

/// Keeps what this thread has stored in an object before what the runtime then does with the object's count of `unowned` references,
/// which has no order: whoever counts down to the last one frees the memory. For the end of a deinit. No instruction on x86-64.
void weir_end_deinit(void);

/// What Swift calls for `unowned`: the memory of the object stays allocated while there are such references to it, even after it
/// is deinitialized; as long as it is not, it can be retained.
void weir_unowned_retain(void *_Nonnull object);
void weir_unowned_release(void *_Nonnull object);
/// Returns the object, retained; null if it is being deinitialized, or was.
void *_Nullable weir_try_retain(void *_Nonnull object);

/// Two words that belong to the calling thread, zero at first: how deeply its releases are nested, and what it is about to
/// release.
uint64_t *_Nonnull weir_thread_release_queue(void);

/// Two words that belong to the calling thread, zero at first: its last pause.
uint64_t *_Nonnull weir_thread_back_off(void);

/// Where the calling thread keeps a pointer to the scheduler that is running it; null at first.
const void *_Nullable *_Nonnull weir_thread_scheduler(void);

/// Where the calling thread keeps the queue of its trampoline; null at first, and while none runs.
void *_Nullable *_Nonnull weir_thread_trampoline(void);

/// Where the calling thread keeps the commands that it is delivering for; null at first, and while there are none.
void *_Nullable *_Nonnull weir_thread_command(void);

/// How many processors this process may use, at least 1.
int32_t weir_processor_count(void);

/// True when every atomic operation of this build runs the perturbing hook.
bool weir_atomics_are_hooked(void);

/// Delays one operation in `period` by a yield or a short spin, or none if it is 0; only in a hooked build.
void weir_perturb(uint32_t period, uint64_t seed);

/// How many times in a row a thread enters a turn before it belongs to it: the standard number; while a hooked build is perturbed, mostly
/// 1 to 3, so that what comes after that is tested as well.
#ifdef WEIR_ATOMICS_HOOK
uint64_t weir_perturbed_patience(uint64_t standard);
#else
WEIR_INLINE uint64_t weir_perturbed_patience(uint64_t standard) { return standard; }
#endif

/// Called with what a thread is about to do: an atomic operation at an address, a "pause", "yield" or "wait" (no address), or a
/// "free" of `size` bytes. Returns true if that must not be done any more: the observer has waited or yielded itself, or holds
/// the block and frees it later, or has set the result of a load with weir_answer_load. Other atomic operations and pauses are
/// done whatever it returns.
typedef bool (*weir_observer)(
    void *_Nonnull context, const char *_Nonnull operation, const void *_Nullable address, size_t size);

/// From now on the calling thread is observed and not perturbed, or no longer observed if `observer` is null; only in a hooked
/// build. What the observer does itself is not observed.
void weir_observe_thread(weir_observer _Nullable observer, void *_Nullable context);

/// For an observer: sets the result of the load that it was called for, if it returns true.
void weir_answer_load(uint64_t value);

/// For an observer: reads the four or eight bytes at an address, unseen by the sanitizers.
uint64_t weir_peek(const void *_Nonnull address, size_t size);

/// True in a build with ThreadSanitizer.
bool weir_is_thread_sanitized(void);

/// Parks the calling thread while `*word` is `value`, for at most so many nanoseconds, or without a limit if that is negative.
/// May return earlier, for no reason. Only for threads that the library has started, when they have nothing to do: no thread of a
/// user is ever parked. It orders nothing: check again the condition that was waited for.
void weir_wait_while(const uint32_t *_Nonnull word, uint32_t value, int64_t nanoseconds);

/// Wakes up to `count` of the threads that are parked on `word`.
void weir_wake(const uint32_t *_Nonnull word, int32_t count);

/// Names the calling thread, for debuggers and `top`; the system keeps the first 15 bytes.
void weir_name_thread(const char *_Nonnull name);

/// Lets another thread run. A courtesy, never a wait.
void weir_yield(void);

#endif
