// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "TestHome.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Foundation keeps shared cookies below XDG_DATA_HOME and its shared cache below XDG_CACHE_HOME: in the home of whoever
// runs the tests. Before main, and so before anything can touch them, both move to a folder of the test process, among
// the temporary files (TMPDIR). A child that runs a test has a folder of its own within, since it must not meet the cookies
// of others; other programs inherit the variables. The process that made a folder removes it.
static char home[4096];
static pid_t maker;

static int discard(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  (void)kind;
  (void)place;
  return remove(path);
}

__attribute__((constructor)) static void make_home(void) {
  const char *outer = getenv("WORKBENCH_TEST_HOME");
  const char *folder = outer != NULL ? outer : getenv("TMPDIR");
  snprintf(home, sizeof home, "%s/workbench-tests-XXXXXX", folder != NULL ? folder : P_tmpdir);
  if (mkdtemp(home) == NULL) return;
  maker = getpid();
  setenv("WORKBENCH_TEST_HOME", home, 1);
  setenv("XDG_DATA_HOME", home, 1);
  setenv("XDG_CACHE_HOME", home, 1);
  // The agent of background sessions, its socket and its journals, and that it ends soon.
  setenv("XDG_STATE_HOME", home, 1);
  setenv("XDG_RUNTIME_DIR", home, 1);
  setenv("WORKBENCH_TRANSFER_AGENT_IDLE", "0.3", 1);
}

__attribute__((destructor)) static void remove_home(void) {
  if (maker == getpid()) nftw(home, discard, 8, FTW_DEPTH | FTW_PHYS);
}
