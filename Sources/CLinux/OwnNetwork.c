// SPDX-License-Identifier: Apache-2.0
// unshare(2) needs _GNU_SOURCE.
#define _GNU_SOURCE
#include "include/CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_text(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return -1;
  ssize_t size = (ssize_t)strlen(text);
  int result = write(file, text, (size_t)size) == size ? 0 : -1;
  int reason = errno;
  close(file);
  errno = reason;
  return result;
}

// A user namespace in which user and group keep their numbers, and a network namespace that belongs to it.
static int enter_as_user(void) {
  char users[64], groups[64];
  snprintf(users, sizeof users, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
  snprintf(groups, sizeof groups, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
    return -1;
  // Groups may be mapped only by who gives up changing them (user_namespaces(7)).
  if (write_text("/proc/self/setgroups", "deny") != 0 || write_text("/proc/self/uid_map", users) != 0)
    return -1;
  return write_text("/proc/self/gid_map", groups);
}

static int raise_loopback(void) {
  struct ifreq request = {.ifr_name = "lo"};
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0)
    return -1;
  int result = ioctl(any, SIOCGIFFLAGS, &request);
  request.ifr_flags |= IFF_UP;
  if (result == 0)
    result = ioctl(any, SIOCSIFFLAGS, &request);
  int reason = errno;
  close(any);
  errno = reason;
  return result == 0 ? 0 : -1;
}

static int enter(void) {
  if (unshare(CLONE_NEWNET) != 0 && (errno != EPERM || enter_as_user() != 0))
    return -1;
  return raise_loopback();
}

int workbench_enter_loopback(void) {
  // A namespace cannot be left again, so a child tries first whether each step works.
  pid_t child = fork();
  if (child < 0)
    return -1;
  if (child == 0)
    _exit(enter() == 0 ? 0 : errno);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
    return -1;
  }
  return enter();
}
