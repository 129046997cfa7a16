// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int workbench_wait_for_usage(pid_t child, struct rusage *usage) {
  siginfo_t info;
  return (int)syscall(SYS_waitid, P_PID, child, &info, WEXITED | WNOWAIT, usage);
}

void workbench_buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
