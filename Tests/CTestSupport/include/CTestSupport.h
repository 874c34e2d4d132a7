// Part of Weir. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// The bytes that the process has allocated and not freed, in all threads. Unlike resident memory, which
/// changes by pages, this shows a leak of one block a round after a few thousand rounds.
intptr_t test_allocated_bytes(void);
