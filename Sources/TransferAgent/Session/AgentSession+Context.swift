// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// What the loads of a session have in common.
extension AgentSession {
  var context: LoadContext {
    if let knownContext { return knownContext }
    let settings = journal.settings
    var values = LoadConfiguration()
    (values.idleTimeout, values.totalTimeout) = (settings.idleTimeout, settings.totalTimeout)
    values.connectionsPerHost = settings.connectionsPerHost
    values.additionalHeaders = settings.fields
    (values.oldestTLS, values.newestTLS) = (settings.oldestTLS, settings.newestTLS)
    values.waitsForConnectivity = true
    values.credentialStorage = nil
    let proxies = settings.proxies.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    values.proxies = proxies.map { ProxySettings(Dictionary(uniqueKeysWithValues: $0.map { (AnyHashable($0), $1) })) }
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
