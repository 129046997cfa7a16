// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/resource.h>
#include <sys/types.h>

// Waits until the child has ended, without taking its exit status from whoever reaps it, and fills in what the kernel
// counted for it. The raw system call has this fifth argument, glibc's waitid() has not (waitid(2), "C library/kernel
// differences"). Returns 0, or -1 with errno.
int workbench_wait_for_usage(pid_t child, struct rusage *usage);

// Lets the standard output of this process leave it line by line, also into a pipe. Swift may not touch the global
// variable stdout.
void workbench_buffer_output_by_line(void);
