// SPDX-License-Identifier: Apache-2.0
import CallTracer
import Glibc

/// `KillAtCall ARGUMENT…`: runs the program that the environment names, and kills it at one of its system calls. What the
/// variables mean stands in CallTracer.h.
@main enum KillAtCall {
  static func main() { exit(workbench_kill_at_call(CommandLine.unsafeArgv)) }
}
