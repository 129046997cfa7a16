// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// The context that the loads of a session have in common.
extension AgentSession {
  var context: LoadContext {
    if let knownContext { return knownContext }
    var values = LoadConfiguration()
    values.wire = journal.settings.wire
    values.waitsForConnectivity = true
    values.credentialStorage = nil
    let context = LoadContext(values)
    knownContext = context
    return context
  }
}

/// Which boot of the machine this is. What a killed process wrote is in the kernel's memory and reaches the disk; after
/// another boot only what was synced is certain.
enum Boot {
  static let current = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
}
