// Part of Weir. SPDX-License-Identifier: Apache-2.0
//
// A signal interrupts a thread at any point, so the handler does only two things, which are allowed there: it sets a bit, and posts a
// semaphore if no bit was set before. If one was, there is no need to post: as long as a bit is set, a post is on its way to the thread
// that takes them all. Other threads may take them first, so that thread may find none.
//
// A child of fork inherits the handler, but not the thread that hands the signals out. There the handler restores what the system does by
// default, and sends the signal again.
#define _GNU_SOURCE
#include "CWeirSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static uint64_t noted;
static sem_t any_noted;
static pid_t owner;

__attribute__((constructor)) static void prepare(void) { sem_init(&any_noted, 0, 0); }

static void note(int number) {
  int code = errno;
  if (getpid() != __atomic_load_n(&owner, __ATOMIC_RELAXED)) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL);
    raise(number);  // It comes when this handler has returned.
  } else if (__atomic_fetch_or(&noted, UINT64_C(1) << (number - 1), __ATOMIC_ACQ_REL) == 0) sem_post(&any_noted);
  errno = code;
}

bool weir_signal_note(int32_t number, struct sigaction *previous) {
  // System calls that were waiting are restarted, and a thread that has a stack for signals uses it.
  __atomic_store_n(&owner, getpid(), __ATOMIC_RELAXED);
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, previous) == 0;
}

void weir_signal_leave(int32_t number, const struct sigaction *previous) {
  struct sigaction now;
  if (sigaction(number, NULL, &now) == 0 && now.sa_handler == note) sigaction(number, previous, NULL);
}

void weir_signals_wait(void) {
  while (sem_wait(&any_noted) != 0) {}
}

uint64_t weir_signals_take(void) { return __atomic_exchange_n(&noted, 0, __ATOMIC_ACQ_REL); }

bool weir_pipe(int32_t ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

ptrdiff_t weir_read_at_once(int32_t descriptor, void *room, size_t size) {
  struct iovec place = {room, size};
  ssize_t length = preadv2(descriptor, &place, 1, -1, RWF_NOWAIT);
  if (length >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return length;
  // Kernels that do not support RWF_NOWAIT for sockets support this.
  length = recv(descriptor, room, size, MSG_DONTWAIT);
  if (length >= 0 || errno != ENOTSOCK) return length;
  return read(descriptor, room, size);
}
