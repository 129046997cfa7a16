// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a program and kills it as it makes one of its system calls (ptrace(2)): the call itself is not made. Calls are counted
// over all threads of the process, in the order in which the kernel takes them; its own children are left alone. The
// environment says what to do:
//
//   KILL_PROGRAM  the program's path
//   KILL_AT       the call's number, from 0; -1 kills at none
//   KILL_EVERY    set to count all calls; else those alone that change something outside the process
//   KILL_RECORD   a file that must not be there, which then holds a line with its number for each counted call, and at the
//                 end "killed" or "ended"; where it is there, the program runs untouched: one kill for each file
//
// Returns the program's exit status, 128 and the signal's number where a signal ended it, and 126 where it cannot be
// traced here.
int workbench_kill_at_call(char *const arguments[]);
