// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "HeldCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// How a call names what it changes.
enum names { BY_DESCRIPTOR, BY_PATH, BY_TWO_PATHS, BY_PATH_AT, BY_TWO_PATHS_AT, BY_PATH_TO_OPEN, BY_PATH_AT_TO_OPEN };

static const struct call {
  uint32_t number;
  enum names names;
} calls[] = {
    {SYS_write, BY_DESCRIPTOR},
    {SYS_writev, BY_DESCRIPTOR},
    {SYS_pwrite64, BY_DESCRIPTOR},
    {SYS_fsync, BY_DESCRIPTOR},
    {SYS_fdatasync, BY_DESCRIPTOR},
    {SYS_ftruncate, BY_DESCRIPTOR},
    {SYS_fallocate, BY_DESCRIPTOR},
    {SYS_fchmod, BY_DESCRIPTOR},
    {SYS_fsetxattr, BY_DESCRIPTOR},
    {SYS_openat, BY_PATH_AT_TO_OPEN},
    {SYS_mkdirat, BY_PATH_AT},
    {SYS_unlinkat, BY_PATH_AT},
    {SYS_fchmodat, BY_PATH_AT},
    {SYS_linkat, BY_TWO_PATHS_AT},
    {SYS_renameat2, BY_TWO_PATHS_AT},
    {SYS_truncate, BY_PATH},
#ifdef SYS_renameat
    {SYS_renameat, BY_TWO_PATHS_AT},
#endif
#ifdef SYS_open
    {SYS_open, BY_PATH_TO_OPEN},
    {SYS_creat, BY_PATH},
    {SYS_mkdir, BY_PATH},
    {SYS_rmdir, BY_PATH},
    {SYS_unlink, BY_PATH},
    {SYS_chmod, BY_PATH},
    {SYS_link, BY_TWO_PATHS},
    {SYS_rename, BY_TWO_PATHS},
#endif
    // From here on they look and read, and are held where calls are parked.
    {SYS_newfstatat, BY_PATH_AT},
    {SYS_statx, BY_PATH_AT},
    {SYS_faccessat, BY_PATH_AT},
    {SYS_inotify_add_watch, BY_PATH_AT},
    {SYS_read, BY_DESCRIPTOR},
    {SYS_pread64, BY_DESCRIPTOR},
    {SYS_fstat, BY_DESCRIPTOR},
    {SYS_flock, BY_DESCRIPTOR},
    {SYS_close, BY_DESCRIPTOR},
#ifdef SYS_open
    {SYS_stat, BY_PATH},
    {SYS_lstat, BY_PATH},
    {SYS_access, BY_PATH},
#endif
};
#ifdef SYS_open
enum { CALLS = sizeof calls / sizeof calls[0], CHANGES = CALLS - 12 };
#else
enum { CALLS = sizeof calls / sizeof calls[0], CHANGES = CALLS - 9 };
#endif

static char root[4096];
static size_t root_length;
static long first_held;
static int failure;
static bool holds_all_later;
static atomic_long seen;
static int listener = -1;

// Calls that wait, and who made them.
static bool parks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool released;
enum { CALLERS = 4096 };
static uint32_t callers[CALLERS];
static uint64_t waiting[CALLERS];
static long parked;

// Whether the path, relative to the folder of a descriptor, lies below the root.
static bool is_below(int folder, const char *path) {
  char start[4096];
  if (path == NULL) return false;
  if (path[0] != '/') {
    char link[64];
    if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, start, sizeof start - 1);
    if (length < 0) return false;
    start[length] = 0;
    path = start;
  }
  return strncmp(path, root, root_length) == 0;
}

static bool opens_to_change(uint64_t flags) {
  return parks || (flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)) != 0;
}

static bool concerns(const struct seccomp_data *call) {
  enum names names = BY_DESCRIPTOR;
  for (size_t i = 0; i < CALLS; i++)
    if (calls[i].number == (uint32_t)call->nr) names = calls[i].names;
  const char *first = (const char *)(uintptr_t)call->args[0];
  const char *second = (const char *)(uintptr_t)call->args[1];
  const char *fourth = (const char *)(uintptr_t)call->args[3];
  int folder = (int)call->args[0], other = (int)call->args[2];
  switch (names) {
  case BY_DESCRIPTOR: return is_below(folder, "");
  case BY_PATH: return is_below(AT_FDCWD, first);
  case BY_TWO_PATHS: return is_below(AT_FDCWD, first) || is_below(AT_FDCWD, second);
  case BY_PATH_AT: return is_below(folder, second);
  case BY_TWO_PATHS_AT: return is_below(folder, second) || is_below(other, fourth);
  case BY_PATH_TO_OPEN: return opens_to_change(call->args[1]) && is_below(AT_FDCWD, first);
  case BY_PATH_AT_TO_OPEN: return opens_to_change(call->args[2]) && is_below(folder, second);
  }
  return false;
}

// Makes a call that was held.
static void let_go(uint64_t number) {
  union { struct seccomp_notif_resp answer; char room[512]; } out;
  memset(&out, 0, sizeof out);
  out.answer.id = number;
  out.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &out);
}

// Notes a call, which waits where that is wanted. Without memory of its own: to get some may be such a call.
static void park(const struct seccomp_notif *call) {
  pthread_mutex_lock(&lock);
  bool waits = !released && parked < CALLERS;
  if (waits) waiting[parked] = call->id;
  callers[parked++ % CALLERS] = call->pid;
  pthread_mutex_unlock(&lock);
  if (!waits) let_go(call->id);
}

static void *supervise(void *unused) {
  (void)unused;
  for (;;) {
    // A later kernel's structures may be longer than those this was compiled with.
    union { struct seccomp_notif call; char room[512]; } in;
    union { struct seccomp_notif_resp answer; char room[512]; } out;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &in) != 0) {
      if (errno == EINTR || errno == ENOENT) continue;
      return NULL;
    }
    out.answer.id = in.call.id;
    out.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    bool is_below_root = concerns(&in.call.data);
    if (is_below_root && parks) {
      park(&in.call);
      continue;
    }
    if (is_below_root) {
      long number = atomic_fetch_add(&seen, 1);
      if (number == first_held || (holds_all_later && number > first_held)) {
        if (failure == 0) kill(getpid(), SIGKILL);
        out.answer.flags = 0;
        out.answer.error = -failure;
      }
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &out);
  }
}

// All threads there are; those they make later have the filter from them. With a listener, since Linux 5.7.
enum { ALL_THREADS = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH };

// Installs a filter that holds the first `count` of the calls; the listener's descriptor, or -1 with errno.
static int install(size_t count, unsigned flags) {
  struct sock_filter code[CALLS + 3];
  size_t length = 0;
  code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; i++)
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, count - i, 0);
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, &program);
}

static int begin(const char *folder, size_t count) {
  // The names in /proc have no links in them.
  if (realpath(folder, root) == NULL) return errno;
  root_length = strlen(root);
  listener = install(count, ALL_THREADS);
  if (listener < 0) return errno;
  pthread_t thread;
  return pthread_create(&thread, NULL, supervise, NULL);
}

int workbench_hold_calls(const char *folder, long nth, int error, bool lasts) {
  (first_held = nth, failure = error, holds_all_later = lasts);
  return begin(folder, CHANGES);
}

int workbench_park_calls(const char *folder) {
  parks = true;
  return begin(folder, CALLS);
}

void workbench_release_calls(void) {
  pthread_mutex_lock(&lock);
  for (long i = 0; !released && i < parked && i < CALLERS; i++) let_go(waiting[i]);
  released = true;
  pthread_mutex_unlock(&lock);
}

long workbench_calls_of_thread(long thread) {
  pthread_mutex_lock(&lock);
  long count = 0;
  for (long i = 0; i < parked && i < CALLERS; i++) count += thread == 0 || callers[i] == thread;
  pthread_mutex_unlock(&lock);
  return count;
}

long workbench_this_thread(void) { return syscall(SYS_gettid); }

long workbench_count_calls(void) { return atomic_load(&seen); }

static void *attempt(void *result) {
  int descriptor = install(0, 0);
  *(bool *)result = descriptor >= 0;
  if (descriptor >= 0) close(descriptor);
  return NULL;
}

bool workbench_can_hold_calls(void) {
  // A kernel that knows the flags looks for the filter, and finds none.
  unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | ALL_THREADS;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, NULL) != -1 || errno != EFAULT) return false;
  // A filter that holds nothing, on a thread that ends with it.
  pthread_t thread;
  bool result = false;
  if (pthread_create(&thread, NULL, attempt, &result) != 0) return false;
  pthread_join(thread, NULL);
  return result;
}
