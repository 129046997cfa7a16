// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FailingCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// A disk that fails, as a program sees it: the kernel itself gives the answer, whatever library the call came through. So
// nothing in the code under test has to be replaced, and no rights are needed.

int workbench_can_fail_calls(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// Where argument `index` of a call has the bits `mask`, it is `value`. Its lower half, on a machine that keeps that first.
struct argument {
  int index;
  uint32_t mask, value;
};

static int fail(long number, struct argument argument, int error) {
  size_t place = offsetof(struct seccomp_data, args) + (size_t)argument.index * sizeof(uint64_t);
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)place),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, argument.mask),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument.value, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA)),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result > 0) errno = EBUSY;  // a thread that has filters of its own
  return result == 0 ? 0 : -1;
}

// The calls of a kind that take paths, whatever the paths.
static int fail_all(const long numbers[], size_t count, int error) {
  for (size_t i = 0; i < count; i++)
    if (fail(numbers[i], (struct argument){0, 0, 0}, error) != 0) return -1;
  return 0;
}

static const long renaming[] = {
    SYS_renameat2,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_rename
    SYS_rename,
#endif
};
static const long removing[] = {
    SYS_unlinkat,
#ifdef SYS_unlink
    SYS_unlink,
#endif
};

int workbench_fail_call(enum workbench_call call, int descriptor, int error) {
  struct argument first = {0, descriptor < 0 ? 0 : UINT32_MAX, descriptor < 0 ? 0 : (uint32_t)descriptor};
  switch (call) {
    case workbench_call_write: return fail(SYS_write, first, error);
    case workbench_call_sync:
      return fail(SYS_fsync, first, error) == 0 ? fail(SYS_fdatasync, first, error) : -1;
    case workbench_call_close: return fail(SYS_close, first, error);
    case workbench_call_truncate: return fail(SYS_ftruncate, first, error);
    case workbench_call_create:
      return fail(SYS_openat, (struct argument){2, O_CREAT | O_EXCL, O_CREAT | O_EXCL}, error);
    case workbench_call_reopen: {
      uint32_t mask = O_ACCMODE | O_CREAT | O_NOFOLLOW;
      return fail(SYS_openat, (struct argument){2, mask, O_RDWR | O_NOFOLLOW}, error);
    }
    case workbench_call_rename: return fail_all(renaming, sizeof renaming / sizeof *renaming, error);
    case workbench_call_remove: return fail_all(removing, sizeof removing / sizeof *removing, error);
  }
  errno = EINVAL;
  return -1;
}
