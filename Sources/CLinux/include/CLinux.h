// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/xattr.h>

// Waits until the child has ended, without taking its exit status from whoever reaps it, and fills in what the kernel
// counted for it. The raw system call has this fifth argument, glibc's waitid() has not (waitid(2), "C library/kernel
// differences"). Returns 0, or -1 with errno.
int workbench_wait_for_usage(pid_t child, struct rusage *usage);

// Lets the standard output of this process leave it line by line, also into a pipe. Swift may not touch the global
// variable stdout.
void workbench_buffer_output_by_line(void);

// Creates and opens the file that `template` becomes (mkostemps(3), which needs _GNU_SOURCE), close-on-exec and with
// mode 0600; `suffix` bytes at its end stay. Returns the descriptor, or -1 with errno.
int workbench_make_file(char *template_, int suffix);

// write(2), which fails with EFBIG where the process may not make its files any larger (RLIMIT_FSIZE), in place of ending
// the process with SIGXFSZ. Signals of others are left alone.
ssize_t workbench_write_within_limit(int descriptor, const void *bytes, size_t count);

// pread(2) of what lies in the page cache, which never waits for the disk (preadv2(2), RWF_NOWAIT, which need _GNU_SOURCE):
// -1 with EAGAIN where nothing does, with another errno where the file system cannot say so.
ssize_t workbench_read_cached(int descriptor, void *bytes, size_t count, off_t offset);

// Opens the file as a mere name (O_PATH) and sets its time of reading to the epoch (utimensat(2)); a file system that keeps
// such times only now and then keeps the next one behind that (mount(8), "relatime"). workbench_end_watch closes it and
// answers what became of the file: 0 it is there, 1 it is there and was read, is still open, or the file system keeps no
// such times, 2 it was moved, or read and removed, 3 it was removed; -1 where that is unknown.
int workbench_begin_watch(const char *path);
int workbench_end_watch(int watch, const char *path);

// The bytes of the files that this process has open below descriptor `end` and that no folder names: private copies on disk. In C,
// because a build of whole modules takes the members of struct stat for CoreFoundation's.
long long workbench_unnamed_bytes(int end);

// Whether more than so many bytes in plain files, or entries, lie below the folder, or any lies deeper: 1 or 0. Links are not
// followed. Foundation's walk asks for the names of each file's owner, which takes ten times as long.
int workbench_exceeds(const char *folder, long long bytes, int entries, int depth);

// Lets the writes of a descriptor bypass the page cache, or not any more (O_DIRECT, which needs _GNU_SOURCE). Returns 0,
// or -1 with errno where the file system has no such way.
int workbench_bypass_page_cache(int descriptor, int bypass);

// Opens a netlink(7) socket, non-blocking and close-on-exec, that can be read whenever a network interface, one of its
// addresses or a route changes (rtnetlink(7)). Returns the descriptor, or -1 with errno.
int workbench_watch_network(void);

// accept4(2), and pipe2(2) in place of pipe(2), which need _GNU_SOURCE: close-on-exec from the start, for a child that is
// started between two calls would keep the connection open for as long as it lives. They return as those do.
int workbench_accept(int listener);
int workbench_pipe(int ends[2]);

// Names the calling thread, at most 15 bytes (pthread_setname_np(3) needs _GNU_SOURCE, which a header must not define:
// it clashes with the C library's own module).
void workbench_name_thread(const char *name);

// Nanoseconds of processor time the calling thread has used (CLOCK_THREAD_CPUTIME_ID). In C, because a release build
// that also sees CoreFoundation takes timespec's members for CoreFoundation's.
long long workbench_thread_processor_nanoseconds(void);

// Whether the domain (lower-case UTF-8 without a leading dot) is a public suffix by the list built into libpsl
// (psl_is_public_suffix(3)): 1 or 0; -1 where there is no such library or it has no list.
int workbench_is_public_suffix(const char *domain);

// Keeps this process from starting others and from signalling or tracing them, for good: the kernel answers EPERM
// (seccomp(2)). Threads may still be started. It also gives up the terminal, and may type into none. Returns 0, or -1 with
// errno where the kernel has no such filter.
int workbench_stay_alone(void);

// Lets no other process of the same user read or write this one's memory or take its descriptors (PR_SET_DUMPABLE, prctl(2);
// ptrace(2), "Ptrace access mode checking"), until it executes a program. Returns 0, or -1 with errno.
int workbench_close_to_others(void);

// Gives this process a network of its own with the loopback interface alone, up, and no way to any other; for good, and
// for all that it starts. Call it before any thread is started. A user without the right to do so gets it by a user
// namespace in which its own number stays as it is (namespaces(7), user_namespaces(7)). Returns 0, or -1 with errno, and
// then nothing has changed.
int workbench_enter_loopback(void);

// What is told of a Unix socket or the end of a pipe: the bytes that can be read from it and those that its peer has not read
// (FIONREAD, SIOCOUTQ; unix(7), pipe(7)).
typedef void (*workbench_channel_visitor)(void *context, int descriptor, int unread, int unsent);

// Calls `visit` if the descriptor is a Unix socket or a pipe that a child would inherit (not close-on-exec); or for each one of
// this process, and for none where there is no /proc.
void workbench_visit_inherited_channel(int descriptor, workbench_channel_visitor visit, void *context);
void workbench_visit_inherited_channels(workbench_channel_visitor visit, void *context);

// The user and the process at the other end of a connected Unix socket (SO_PEERCRED, unix(7)), as the kernel noted them
// when it was connected. Returns 0, or -1 with errno.
int workbench_peer(int socket, uid_t *user, pid_t *process);

// Starts a program that outlives this process: in a session of its own and as no child of this process, in the folder /,
// with this process's environment, /dev/null for its standard streams, and of all descriptors just `ready`, as number 3.
// Returns 0, or an errno; that the program could not be executed shows in the other end of `ready` closing.
int workbench_start_detached(const char *path, char *const arguments[], int ready);

// Lets all threads of this process share one heap (mallopt(3), M_ARENA_MAX), and large blocks live outside of it
// (M_MMAP_THRESHOLD): what one thread leaves free another takes, and a large block goes back to the kernel at once. For
// good; call it before threads are started. Does nothing where the C library has no such knobs.
void workbench_share_one_heap(void);

// Gives back what this process has in memory and does not need now: the free pages of its heap (malloc_trim(3)), and the
// pages of code and constants, its own and the libraries', which the kernel maps again when they are used (madvise(2),
// MADV_DONTNEED). Other threads may run meanwhile.
void workbench_trim_memory(void);

// Starts a program in the same manner, but in `folder`, with `mask` for umask(2) and without any descriptor beyond its
// standard streams. Returns 0 when the program is executing, else the errno of what failed.
int workbench_start_again(const char *path, char *const arguments[], const char *folder, mode_t mask);

// The value of an environment variable, or NULL in a program that runs with more rights than its user (secure_getenv(3)).
const char *workbench_own_variable(const char *name);

// A ring of records in memory, of one writer at a time and one reader, which may be another process. What does not fit is
// counted and left out, so that the writer never waits.
#define WORKBENCH_RING_BYTES (1 << 20)
typedef struct workbench_ring workbench_ring;

// A file in memory that is as large as a ring and stays so (memfd_create(2), F_SEAL_SHRINK). The descriptor, or -1.
int workbench_ring_file(void);

// Maps the ring of that file, or with -1 one of this process alone. NULL with errno, or where the file is no ring.
workbench_ring *workbench_ring_map(int file);
void workbench_ring_unmap(workbench_ring *ring);

// Adds a record of at most 65,535 bytes: 1, or 0 where there is no room. The caller keeps other writers away.
int workbench_ring_put(workbench_ring *ring, const void *bytes, unsigned short count);

// Takes the next record into `bytes`, which has room for 65,535: its length, 0 where there is none (a record has at least
// one byte), or -1 where the writer has spoilt the ring. Whatever stands in the ring, it reads within it.
int workbench_ring_take(workbench_ring *ring, void *bytes);

// How many records found no room.
unsigned long workbench_ring_dropped(const workbench_ring *ring);

// The reader takes nothing more; and whether it has said so.
void workbench_ring_leave(workbench_ring *ring);
int workbench_ring_is_left(const workbench_ring *ring);

// Passes a descriptor over a connected Unix socket (SCM_RIGHTS, unix(7)). Returns 0, or -1 with errno.
int workbench_send_descriptor(int socket, int descriptor);

// Connects to the Unix socket of a reader, which answers with the file of a ring. Returns the socket, whose end tells the
// reader that this process has ended, or -1. Waits two seconds at most.
int workbench_join_ring(const char *path, int *ring);

// A descriptor that can be read when the process has ended (pidfd_open(2)), or -1 with errno.
int workbench_process_descriptor(pid_t process);

// Writes to a descriptor as long as it is still that file, without SIGPIPE, and waits a second at most for each piece.
void workbench_tell(int descriptor, dev_t device, ino_t file, const char *bytes, size_t count);

// Calls `call` in each child that this process forks, before fork(2) returns there (pthread_atfork(3)).
void workbench_in_forked_child(void (*call)(void));

// From now on a signal by which a program ends itself in error (SIGILL, SIGTRAP, SIGFPE, SIGSEGV, SIGBUS, SIGABRT) first writes a
// line to standard error: WORKBENCH_TRAP, the place in hexadecimal digits, 0 where it is not in the executable, and the
// callers' return addresses there, all relative to the executable's first byte. Then the process ends by it as it would have. Call it
// on the main thread, which gets a stack for it, so that endless recursion is told, too.
#define WORKBENCH_TRAP "workbench-trap"
void workbench_tell_traps(void);
