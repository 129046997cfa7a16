// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// Offsets count all bytes ever written and taken; their remainders are places in `bytes`.
struct workbench_ring {
  _Atomic uint64_t written;
  _Atomic uint64_t taken;
  _Atomic uint64_t dropped;
  _Atomic uint64_t isLeft;
  uint64_t unused[4];
  unsigned char bytes[WORKBENCH_RING_BYTES];
};

const char *workbench_own_variable(const char *name) { return secure_getenv(name); }

int workbench_ring_file(void) {
  int file = memfd_create("workbench-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, sizeof(workbench_ring)) == 0 &&
      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return file;
  close(file);
  return -1;
}

workbench_ring *workbench_ring_map(int file) {
  struct stat status;
  // Without the seal the other side could shorten the file, and this process would die of SIGBUS.
  if (file >= 0 && (fstat(file, &status) != 0 || status.st_size != sizeof(workbench_ring) ||
                    !(fcntl(file, F_GET_SEALS) & F_SEAL_SHRINK)))
    return NULL;
  int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void *memory = mmap(NULL, sizeof(workbench_ring), PROT_READ | PROT_WRITE, flags, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void workbench_ring_unmap(workbench_ring *ring) { munmap(ring, sizeof *ring); }

static void copy_in(workbench_ring *ring, uint64_t place, const void *bytes, size_t count) {
  size_t start = place % WORKBENCH_RING_BYTES;
  size_t first = count < WORKBENCH_RING_BYTES - start ? count : WORKBENCH_RING_BYTES - start;
  memcpy(ring->bytes + start, bytes, first);
  memcpy(ring->bytes, (const char *)bytes + first, count - first);
}

static void copy_out(const workbench_ring *ring, uint64_t place, void *bytes, size_t count) {
  size_t start = place % WORKBENCH_RING_BYTES;
  size_t first = count < WORKBENCH_RING_BYTES - start ? count : WORKBENCH_RING_BYTES - start;
  memcpy(bytes, ring->bytes + start, first);
  memcpy((char *)bytes + first, ring->bytes, count - first);
}

int workbench_ring_put(workbench_ring *ring, const void *bytes, uint16_t count) {
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
  if (written - taken + sizeof count + count > WORKBENCH_RING_BYTES) {
    atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
    return 0;
  }
  copy_in(ring, written, &count, sizeof count);
  copy_in(ring, written + sizeof count, bytes, count);
  atomic_store_explicit(&ring->written, written + sizeof count + count, memory_order_release);
  return 1;
}

int workbench_ring_take(workbench_ring *ring, void *bytes) {
  uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
  uint16_t count;
  if (written == taken) return 0;
  if (written - taken > WORKBENCH_RING_BYTES || written - taken < sizeof count) return -1;
  copy_out(ring, taken, &count, sizeof count);
  if (written - taken < sizeof count + (uint64_t)count) return -1;
  copy_out(ring, taken + sizeof count, bytes, count);
  atomic_store_explicit(&ring->taken, taken + sizeof count + count, memory_order_release);
  return count;
}

uint64_t workbench_ring_dropped(const workbench_ring *ring) {
  return atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}

void workbench_ring_leave(workbench_ring *ring) { atomic_store_explicit(&ring->isLeft, 1, memory_order_relaxed); }

int workbench_ring_is_left(const workbench_ring *ring) {
  return atomic_load_explicit(&ring->isLeft, memory_order_relaxed) != 0;
}

int workbench_send_descriptor(int socket, int descriptor) {
  char byte = 'R', control[CMSG_SPACE(sizeof(int))];
  struct iovec vector = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  memset(control, 0, sizeof control);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static int receive_descriptor(int socket) {
  char byte, control[CMSG_SPACE(sizeof(int))];
  struct iovec vector = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

int workbench_join_ring(const char *path, int *ring) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct timeval limit = {.tv_sec = 2};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int link = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (link < 0) return -1;
  setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  // A program without standard output must not find the socket in its place.
  if (link <= 2) {
    int other = fcntl(link, F_DUPFD_CLOEXEC, 3);
    close(link);
    if ((link = other) < 0) return -1;
  }
  if (connect(link, (struct sockaddr *)&address, sizeof address) == 0 && (*ring = receive_descriptor(link)) >= 0)
    return link;
  close(link);
  return -1;
}

int workbench_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void workbench_tell(int descriptor, dev_t device, ino_t file, const char *bytes, size_t count) {
  struct stat status;
  sigset_t pipe, before, waiting;
  struct timespec none = {0};
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&waiting);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  while (count > 0) {
    struct pollfd place = {.fd = descriptor, .events = POLLOUT};
    if (fstat(descriptor, &status) != 0 || status.st_dev != device || status.st_ino != file) break;
    if (poll(&place, 1, 1000) != 1 || !(place.revents & POLLOUT)) break;
    ssize_t sent = write(descriptor, bytes, count < 4096 ? count : 4096);
    if (sent < 0 && errno != EINTR) break;
    if (sent > 0) {
      bytes += sent;
      count -= (size_t)sent;
    }
  }
  if (!sigismember(&waiting, SIGPIPE)) sigtimedwait(&pipe, NULL, &none);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void workbench_in_forked_child(void (*call)(void)) { pthread_atfork(NULL, NULL, call); }
