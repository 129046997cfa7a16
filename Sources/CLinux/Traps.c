// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "include/CLinux.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

// The executable's bounds; the linker defines them.
extern char __executable_start;
extern char etext;

enum { frames = 64, digits = 17 };

static char stack_of_main[64 << 10];

static uintptr_t counter(void *context) {
  ucontext_t *machine = context;
#if defined(__x86_64__)
  return (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)machine->uc_mcontext.pc;
#else
  return 0;
#endif
}

// Appends " 1f" and returns the end.
static char *hexadecimal(char *end, uintptr_t number) {
  char text[digits];
  int count = 0;
  do {
    text[count++] = "0123456789abcdef"[number & 15];
    number >>= 4;
  } while (number);
  *end++ = ' ';
  while (count) *end++ = text[--count];
  return end;
}

// Says the place, and lets the signal end the process: the instruction is executed again, and abort(3) raises it again.
static void tell(int number, siginfo_t *info, void *context) {
  signal(number, SIG_DFL);
  void *all[frames];
  int count = backtrace(all, frames);
  uintptr_t start = (uintptr_t)&__executable_start, end = (uintptr_t)&etext, place = counter(context);
  char line[sizeof WORKBENCH_TRAP + (frames + 1) * digits + 2] = "\n" WORKBENCH_TRAP;
  char *next = hexadecimal(line + strlen(line), place >= start && place < end ? place - start : 0);
  int first = 0;
  while (first < count && (uintptr_t)all[first] != place) first++;
  for (int frame = first == count ? 0 : first + 1; frame < count; frame++) {
    uintptr_t address = (uintptr_t)all[frame];
    if (address > start && address < end) next = hexadecimal(next, address - start);
  }
  *next++ = '\n';
  ssize_t written = write(STDERR_FILENO, line, (size_t)(next - line));
  (void)written;
  (void)info;
}

void workbench_tell_traps(void) {
  void *first;
  backtrace(&first, 1);  // The first call loads what it needs.
  stack_t stack = {.ss_sp = stack_of_main, .ss_size = sizeof stack_of_main};
  sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  int numbers[] = {SIGILL, SIGTRAP, SIGFPE, SIGSEGV, SIGBUS, SIGABRT};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaction(numbers[index], &action, NULL);
}
