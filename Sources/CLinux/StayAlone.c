// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int workbench_close_to_others(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#ifdef THIS_ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(code) BPF_STMT(BPF_RET | BPF_K, (code))
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define FORBID(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), REFUSE

// Gives up the terminal, which /dev/tty then no longer names (tty_ioctl(4), TIOCNOTTY). The process is no leader of its
// session, so nothing changes for any other, and it stays in its process group.
static void leave_terminal(void) {
  int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0)
    return;
  ioctl(terminal, TIOCNOTTY);
  close(terminal);
}

int workbench_stay_alone(void) {
  struct sock_filter rules[] = {
      // Calls of another architecture have other numbers.
      LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0), REFUSE, LOAD(nr),
#ifdef __x86_64__
      // The x32 interface counts from here.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), REFUSE,
#endif
#ifdef SYS_fork
      FORBID(SYS_fork), FORBID(SYS_vfork),
#endif
      FORBID(SYS_execve), FORBID(SYS_execveat), FORBID(SYS_ptrace), FORBID(SYS_process_vm_readv),
      FORBID(SYS_process_vm_writev), FORBID(SYS_pidfd_send_signal), FORBID(SYS_setpgid), FORBID(SYS_setsid),
      FORBID(SYS_rt_sigqueueinfo), FORBID(SYS_rt_tgsigqueueinfo), FORBID(SYS_tkill), FORBID(SYS_unshare),
      FORBID(SYS_setns), FORBID(SYS_mount), FORBID(SYS_umount2), FORBID(SYS_pivot_root), FORBID(SYS_chroot),
      FORBID(SYS_bpf), FORBID(SYS_perf_event_open), FORBID(SYS_open_by_handle_at), FORBID(SYS_kcmp),
#ifdef SYS_move_mount
      FORBID(SYS_move_mount), FORBID(SYS_open_tree), FORBID(SYS_fsopen), FORBID(SYS_fsmount), FORBID(SYS_fspick),
#endif
#ifdef SYS_mount_setattr
      FORBID(SYS_mount_setattr),
#endif
#ifdef SYS_pidfd_getfd
      FORBID(SYS_pidfd_getfd),
#endif
#ifdef SYS_process_madvise
      FORBID(SYS_process_madvise),
#endif
#ifdef SYS_io_uring_setup
      // Its calls are made by the kernel, and no filter sees them.
      FORBID(SYS_io_uring_setup),
#endif
      // What is kept in the kernel outlives the process, and counts nowhere.
      FORBID(SYS_add_key), FORBID(SYS_request_key), FORBID(SYS_keyctl), FORBID(SYS_msgget), FORBID(SYS_semget),
      FORBID(SYS_mq_open),
      // Memory that is disguised as a file counts nowhere.
      FORBID(SYS_memfd_create), FORBID(SYS_shmget),
#ifdef SYS_memfd_secret
      FORBID(SYS_memfd_secret),
#endif
      // The limits of another process of the same user are that process's own affair.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 5), LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1), ALLOW, REFUSE,
      // With these a program types into the terminal that its parent was started from. The kernel takes the low half
      // of the number alone, which lies first on both architectures.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 6), LOAD(args[1]), FORBID(TIOCSTI), FORBID(TIOCLINUX), ALLOW,
      // The flags of clone3 lie in memory, where a filter cannot look; the C library falls back to clone.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      // A clone that is no thread is a process.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), ALLOW, REFUSE,
      // Signals to itself are its own affair.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4), LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1), ALLOW, REFUSE, ALLOW};
  leave_terminal();
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  // All threads that there are come under the filter, too.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : -1;
}

#else

int workbench_stay_alone(void) {
  errno = ENOSYS;
  return -1;
}

#endif
