// Part of Weir. SPDX-License-Identifier: Apache-2.0
//
// What WeirFoundation needs of the system and Swift cannot say: a handler of signals, which may neither allocate, nor lock, nor
// run into the runtime of Swift, and calls that are extensions of GNU.
#ifndef WEIR_SYSTEM_H
#define WEIR_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Has the signals of a number noted from now on, and keeps in `previous` what the system did with them. False if the system refuses
/// it, which errno explains.
bool weir_signal_note(int32_t number, struct sigaction *previous);

/// Does with the signals of a number again what was done with them before, unless somebody has replaced the noting meanwhile.
void weir_signal_leave(int32_t number, const struct sigaction *previous);

/// Waits until a signal was noted. Answers once more than that now and then; for one thread.
void weir_signals_wait(void);

/// The numbers that were noted since the last time, as bits: number 1 is the lowest.
uint64_t weir_signals_take(void);

/// A pipe whose ends programs that are started do not inherit. False if the system refuses it, which errno explains.
bool weir_pipe(int32_t ends[2]);

/// As read, but with EAGAIN instead of waiting for something to come, also if the descriptor is one that waits. Where the system cannot do
/// that, as with a terminal or a named pipe, it is read.
ptrdiff_t weir_read_at_once(int32_t descriptor, void *room, size_t size);

#endif
