// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

@Suite struct CollectingLimitTests {
  @Test func `half of the least memory, or what was asked for`() {
    #expect(CollectingLimit.bytes(asked: nil, memory: [1000, 600, 800]) == 300)
    #expect(CollectingLimit.bytes(asked: "7", memory: [1000]) == 7)
    for asked in ["", "x", "0", "-1", "1e3", "99999999999999999999"] {
      #expect(CollectingLimit.bytes(asked: asked, memory: [1000]) == 500)
    }
    #expect(CollectingLimit.bytes(asked: nil, memory: [0, -4096]) == .max / 2)
    #expect(CollectingLimit.bytes > 1 << 20)
  }

  /// Files by their paths, as the process would read them.
  private static func limits(_ files: [String: String]) -> [Int64] {
    CollectingLimit.controlGroups { files[$0] }.sorted()
  }

  @Test func `the limits of the process's control group and of those above it count`() {
    let root = "/sys/fs/cgroup"
    let unified = [
      "/proc/self/cgroup": "0::/user.slice/a b.service\n", "\(root)/user.slice/memory.max": "4000\n",
      "\(root)/user.slice/a b.service/memory.max": "3000\n", "\(root)/memory.max": "max\n",
      "\(root)/other/memory.max": "1\n",
    ]
    #expect(Self.limits(unified) == [3000, 4000])
    let old = [
      "/proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/docker/1\n0::/a\n",
      "\(root)/memory/docker/memory.limit_in_bytes": "9223372036854771712\n",
      "\(root)/memory/docker/1/memory.limit_in_bytes": "2000\n", "\(root)/memory/memory.limit_in_bytes": "5000\n",
    ]
    #expect(Self.limits(old) == [2000, 5000, 9_223_372_036_854_771_712])
  }

  @Test(arguments: [nil, "", "0::/\n", "0::/docker/1\n", "0::/../x\n", "x\n0:\n::\n", "0::/a:b\n1:name=systemd:/x\n"])
  func `in a container the group at the root counts`(groups: String?) {
    var files = ["/sys/fs/cgroup/memory.max": "7\n"]
    for name in ["../x", "x"] { files["/sys/fs/cgroup/\(name)/memory.max"] = "1" }
    files["/proc/self/cgroup"] = groups
    #expect(Self.limits(files) == [7])
  }
}
