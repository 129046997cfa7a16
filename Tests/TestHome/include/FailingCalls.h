// SPDX-License-Identifier: Apache-2.0
#pragma once

// The system calls that a test can make fail.
enum workbench_call {
  workbench_call_write,
  // fsync(2) and fdatasync(2).
  workbench_call_sync,
  workbench_call_close,
  workbench_call_truncate,
  // open(2) of a file that must not be there yet (O_CREAT and O_EXCL).
  workbench_call_create,
  // open(2) of a file that must be there, to read and to write it, and not through a link (O_RDWR and O_NOFOLLOW).
  workbench_call_reopen,
  // rename(2) and its kin.
  workbench_call_rename,
  // unlink(2) and its kin.
  workbench_call_remove,
};

// Whether the kernel lets a process without any rights refuse calls of its own (seccomp(2)): 1 or 0.
int workbench_can_fail_calls(void);

// From now on the kernel answers `call` on `descriptor` with `error`, in all threads of this process and in its children,
// and does nothing; all other calls work as before. It cannot be undone: for processes of a test's own. -1 for any
// descriptor; the calls from `workbench_call_create` on have none. Returns 0, or -1 with errno.
int workbench_fail_call(enum workbench_call call, int descriptor, int error);
