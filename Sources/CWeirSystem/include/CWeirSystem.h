// Part of Weir. SPDX-License-Identifier: Apache-2.0
//
// What WeirFoundation needs of the system and Swift cannot express: a signal handler, which may neither allocate, nor lock, nor
// call the Swift runtime, and functions that are GNU extensions.
#ifndef WEIR_SYSTEM_H
#define WEIR_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Installs a handler that notes the signals of a number, and stores their previous action in `previous`. Returns false if the
/// system refuses; errno then holds its error.
bool weir_signal_note(int32_t number, struct sigaction *previous);

/// Restores the previous action for the signals of a number, unless the noting handler has been replaced meanwhile.
void weir_signal_leave(int32_t number, const struct sigaction *previous);

/// Waits until a signal was noted. May also return when none was; only one thread may call it.
void weir_signals_wait(void);

/// Takes the numbers that were noted since the last call, as bits: number 1 is the lowest.
uint64_t weir_signals_take(void);

/// Makes a pipe whose ends are not inherited by programs that the process starts. Returns false if the system refuses; errno then
/// holds its error.
bool weir_pipe(int32_t ends[2]);

/// Reads as read does, but fails with EAGAIN instead of waiting for data, even if the descriptor is blocking. Where the system
/// cannot do that, as with a terminal or a named pipe, it calls read.
ptrdiff_t weir_read_at_once(int32_t descriptor, void *room, size_t size);

#endif
