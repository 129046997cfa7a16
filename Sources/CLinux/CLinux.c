// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int workbench_wait_for_usage(pid_t child, struct rusage *usage) {
  siginfo_t info;
  return (int)syscall(SYS_waitid, P_PID, child, &info, WEXITED | WNOWAIT, usage);
}

void workbench_buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int workbench_make_file(char *template_, int suffix) { return mkostemps(template_, suffix, O_CLOEXEC); }

ssize_t workbench_read_cached(int descriptor, void *bytes, size_t count, off_t offset) {
  struct iovec room = {.iov_base = bytes, .iov_len = count};
  return preadv2(descriptor, &room, 1, offset, RWF_NOWAIT);
}

ssize_t workbench_write_within_limit(int descriptor, const void *bytes, size_t count) {
  struct rlimit size;
  if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur == RLIM_INFINITY)
    return write(descriptor, bytes, count);
  // The kernel sends the signal to the thread that writes: blocked here, it waits until it is taken away again.
  sigset_t limit, before, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  sigpending(&pending);
  int was_pending = sigismember(&pending, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  ssize_t written = write(descriptor, bytes, count);
  int error = errno;
  if (written < 0 && error == EFBIG && !was_pending) {
    struct timespec at_once = {0, 0};
    sigtimedwait(&limit, NULL, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return written;
}

int workbench_bypass_page_cache(int descriptor, int bypass) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0)
    return -1;
  return fcntl(descriptor, F_SETFL, bypass ? flags | O_DIRECT : flags & ~O_DIRECT);
}

int workbench_watch_network(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0)
    return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

int workbench_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int workbench_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

void workbench_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

long long workbench_thread_processor_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void workbench_visit_inherited_channel(int descriptor, workbench_channel_visitor visit, void *context) {
  int flags = fcntl(descriptor, F_GETFD);
  if (flags < 0 || flags & FD_CLOEXEC)
    return;
  int family = 0, unread = 0, unsent = 0;
  socklen_t size = sizeof family;
  struct stat file;
  if (fstat(descriptor, &file) == 0 && S_ISFIFO(file.st_mode)) {
    // Both ends tell of the bytes in the pipe (pipe(7)).
    int isReading = (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY;
    if (ioctl(descriptor, FIONREAD, &unread) == 0)
      visit(context, descriptor, isReading ? unread : 0, isReading ? 0 : unread);
    return;
  }
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0 || family != AF_UNIX)
    return;
  if (ioctl(descriptor, FIONREAD, &unread) == 0 && ioctl(descriptor, SIOCOUTQ, &unsent) == 0)
    visit(context, descriptor, unread, unsent);
}

void workbench_visit_inherited_channels(workbench_channel_visitor visit, void *context) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder)
    return;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
      continue;
    workbench_visit_inherited_channel(atoi(entry->d_name), visit, context);
  }
  closedir(folder);
}

int workbench_begin_watch(const char *path) {
  struct timespec times[2] = {{0, 0}, {0, UTIME_OMIT}};
  utimensat(AT_FDCWD, path, times, 0);
  return open(path, O_PATH | O_CLOEXEC);
}

// Whether this process has the file open: it may be read later, though its name goes.
static int is_open(const struct stat *file) {
  DIR *folder = opendir("/proc/self/fd");
  int isOpen = 0;
  if (!folder)
    return 0;
  for (struct dirent *entry = readdir(folder); entry && !isOpen; entry = readdir(folder)) {
    struct stat other;
    isOpen = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && fstat(atoi(entry->d_name), &other) == 0 &&
             other.st_ino == file->st_ino && other.st_dev == file->st_dev;
  }
  closedir(folder);
  return isOpen;
}

int workbench_end_watch(int watch, const char *path) {
  struct stat was, is;
  struct statvfs system;
  int isKnown = watch >= 0 && fstat(watch, &was) == 0;
  if (watch >= 0)
    close(watch);
  if (!isKnown)
    return -1;
  if (was.st_nlink == 0)
    return was.st_atim.tv_sec != 0 ? 2 : 3;
  if (was.st_nlink > 1 || stat(path, &is) != 0 || is.st_ino != was.st_ino || is.st_dev != was.st_dev)
    return 2;
  if (is_open(&was))
    return 1;
  return was.st_atim.tv_sec != 0 || statvfs(path, &system) != 0 || (system.f_flag & ST_NOATIME) != 0;
}

long long workbench_unnamed_bytes(int end) {
  long long sum = 0;
  struct stat status;
  for (int descriptor = 3; descriptor < end; descriptor++)
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
      sum += status.st_size;
  return sum;
}

int workbench_exceeds(const char *folder, long long bytes, int entries, int depth) {
  char *path = strdup(folder);
  char *paths[] = {path, NULL};
  FTS *walk = path ? fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
  int exceeds = 0;
  for (FTSENT *entry; walk && !exceeds && (entry = fts_read(walk));) {
    // A folder comes once more when all in it was seen.
    if (entry->fts_level < 1 || entry->fts_info == FTS_DP)
      continue;
    if (entry->fts_info == FTS_F)
      bytes -= entry->fts_statp->st_size;
    exceeds = bytes < 0 || --entries < 0 || entry->fts_level > depth;
  }
  if (walk)
    fts_close(walk);
  free(path);
  return exceeds;
}
