// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int workbench_peer(int socket, uid_t *user, pid_t *process) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
  (*user = peer.uid, *process = peer.pid);
  return 0;
}

static void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  long limit = sysconf(_SC_OPEN_MAX);
  for (int descriptor = first; descriptor < (limit > 0 ? limit : 1024); descriptor++) close(descriptor);
}

// Leaves a process /dev/null for its standard streams and `kept` as number 3, and the signals as they are by default.
static bool undress(int kept, int flags) {
  int moved = fcntl(kept, F_DUPFD, 10), nothing = open("/dev/null", O_RDWR);
  if (moved < 0 || nothing < 0) return false;
  for (int stream = 0; stream <= 2; stream++) dup2(nothing, stream);
  dup2(moved, 3);
  if (fcntl(3, F_SETFD, flags) != 0) return false;
  close_from(4);
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  return true;
}

// The grandchild, in which only async-signal-safe calls are allowed: other threads may have held any lock.
static void become(const char *path, char *const arguments[], int ready) {
  if (!undress(ready, 0) || chdir("/") != 0) _exit(126);
  execv(path, arguments);
  _exit(127);
}

int workbench_start_detached(const char *path, char *const arguments[], int ready) {
  pid_t middle = fork();
  if (middle < 0) return errno;
  if (middle == 0) {
    setsid();
    pid_t program = fork();
    if (program == 0) become(path, arguments, ready);
    _exit(program < 0 ? 1 : 0);
  }
  int status = 0;
  while (waitpid(middle, &status, 0) < 0)
    if (errno != EINTR) return 0;  // the program has waited for all its children
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EAGAIN;
}

// Says through the pipe what failed; a program that is executed closes it.
static void fail(int pipe) {
  int error = errno;
  if (write(pipe, &error, sizeof error) < 0) _exit(125);
  _exit(127);
}

static void become_again(
    const char *path, char *const arguments[], const char *folder, mode_t mask, int pipe) {
  if (!undress(pipe, FD_CLOEXEC)) fail(pipe);
  umask(mask);
  if (chdir(folder) == 0) execv(path, arguments);
  fail(3);
}

int workbench_start_again(const char *path, char *const arguments[], const char *folder, mode_t mask) {
  int ends[2], error = 0, status = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  pid_t middle = fork();
  if (middle == 0) {
    setsid();
    pid_t program = fork();
    if (program == 0) become_again(path, arguments, folder, mask, ends[1]);
    if (program < 0) fail(ends[1]);
    _exit(0);
  }
  error = middle < 0 ? errno : 0;
  close(ends[1]);
  while (middle > 0 && waitpid(middle, &status, 0) < 0 && errno == EINTR) continue;
  if (error == 0 && read(ends[0], &error, sizeof error) != sizeof error) error = 0;
  close(ends[0]);
  return error;
}
