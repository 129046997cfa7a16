// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CallTracer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_TRACE = 126 };

// What a program changes outside itself, or shows to others. Between two of these a kill leaves what one at the second does.
static const long changing[] = {
    SYS_write,     SYS_writev,    SYS_pwrite64,  SYS_ftruncate, SYS_truncate,  SYS_fallocate, SYS_fsync,
    SYS_fdatasync, SYS_fsetxattr, SYS_fchmod,    SYS_fchmodat,  SYS_mkdirat,   SYS_unlinkat,  SYS_linkat,
    SYS_renameat2, SYS_utimensat, SYS_flock,     SYS_close,     SYS_socket,    SYS_connect,   SYS_bind,
    SYS_listen,    SYS_accept4,   SYS_shutdown,  SYS_sendto,    SYS_sendmsg,   SYS_recvfrom,  SYS_recvmsg,
    SYS_kill,      SYS_execve,    SYS_exit_group,
#ifdef SYS_rename
    SYS_rename,    SYS_unlink,    SYS_mkdir,     SYS_rmdir,     SYS_chmod,     SYS_link,      SYS_fork,
    SYS_vfork,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
};

static bool is_counted(const struct __ptrace_syscall_info *call) {
  if (getenv("KILL_EVERY") != NULL) return true;
  long number = (long)call->entry.nr;
  if (number == SYS_openat) return (call->entry.args[2] & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)) != 0;
  for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
    if (changing[i] == number) return true;
  return false;
}

static void note(int record, const char *line) {
  while (write(record, line, strlen(line)) < 0 && errno == EINTR) continue;
}

// One thread has stopped: counts the call that it is about to make. Returns the signal that it goes on with.
static int look(pid_t thread, int status, int record, long at, long *count, bool *is_executed, pid_t program) {
  int stop = WSTOPSIG(status);
  if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) *is_executed = true;
  if (stop == (SIGTRAP | 0x80)) {
    struct __ptrace_syscall_info call;
    memset(&call, 0, sizeof call);
    ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call);
    if (!*is_executed || call.op != PTRACE_SYSCALL_INFO_ENTRY || !is_counted(&call)) return 0;
    char line[32];
    snprintf(line, sizeof line, "%lld\n", (long long)call.entry.nr);
    note(record, line);
    if ((*count)++ == at) kill(program, SIGKILL);
    return 0;
  }
  // A new thread stops before it begins; events of ptrace's own are no signals.
  return stop == SIGSTOP || stop == SIGTRAP ? 0 : stop;
}

static int follow(pid_t program, int record, long at) {
  int status = 0;
  if (waitpid(program, &status, __WALL) != program || !WIFSTOPPED(status)) return CANNOT_TRACE;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, program, 0, options) != 0) {
    kill(program, SIGKILL);
    return CANNOT_TRACE;
  }
  ptrace(PTRACE_SYSCALL, program, 0, 0);
  long count = 0;
  bool is_executed = false;
  while (true) {
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return CANNOT_TRACE;
    if (WIFSTOPPED(status)) {
      long passed = look(thread, status, record, at, &count, &is_executed, program);
      ptrace(PTRACE_SYSCALL, thread, 0, passed);
    } else if (thread == program) {
      break;
    }
  }
  note(record, at >= 0 && count > at ? "killed\n" : "ended\n");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int workbench_kill_at_call(char *const arguments[]) {
  const char *path = getenv("KILL_PROGRAM"), *at = getenv("KILL_AT"), *file = getenv("KILL_RECORD");
  if (path == NULL || at == NULL || file == NULL) return CANNOT_TRACE;
  int record = open(file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (record < 0) {
    execv(path, arguments);
    return CANNOT_TRACE;
  }
  pid_t program = fork();
  if (program == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(CANNOT_TRACE);
    raise(SIGSTOP);
    execv(path, arguments);
    _exit(127);
  }
  if (program < 0) return CANNOT_TRACE;
  // What others wait for to be closed is the program's alone.
  if (dup2(record, 3) < 0) return CANNOT_TRACE;
  syscall(SYS_close_range, 4, ~0U, 0);
  return follow(program, 3, strtol(at, NULL, 10));
}
