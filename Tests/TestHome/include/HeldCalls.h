// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>

// The system calls by which this process changes files below one folder: opening a file to write or create it, writing,
// syncing, cutting, renaming, linking, removing, changing modes, making folders. The kernel holds each of them
// (seccomp_unotify(2)) until a thread of this process has looked at it; so whoever makes them, the C library or anybody
// else, is none the wiser. Calls between them only read: what is on the disk is the same before each of them.
//
// The filter lasts as long as the process, which may have one: it is for a process of a test's own.

// Whether this machine lets a process do that to itself.
bool workbench_can_hold_calls(void);

// Begins to count. From now on the call of number `nth`, counted from 0, is not made: with `error` 0 the process is
// killed in its place, otherwise it fails with that number; `lasts` says whether all later ones do, too. Returns 0, or an
// errno.
int workbench_hold_calls(const char *folder, long nth, int error, bool lasts);

// How many calls there were so far.
long workbench_count_calls(void);

// From now on calls below the folder wait for `workbench_release_calls`, also those that only look or read: so a disk
// behaves that does not answer. Returns 0, or an errno.
int workbench_park_calls(const char *folder);

// Makes the calls that wait, and all later ones at once.
void workbench_release_calls(void);

// How many calls below the folder that thread has made since they wait.
long workbench_calls_of_thread(long thread);

// The number of the calling thread.
long workbench_this_thread(void);
