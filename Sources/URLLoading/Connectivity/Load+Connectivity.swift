// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// How far a load has come with waiting for a network; of the I/O thread.
struct ConnectivityWait {
  /// While it goes on, changes of the network make the load try again.
  var observation: NetworkChanges.Observation?
  var isTold = false
}

extension Load {
  /// Waits after a failure that comes of there being no network, where the configuration wants that. False when the
  /// failure is the load's end.
  ///
  /// The network may have come back between the failure and the observation's begin; so the first time the load tries
  /// again at once, and waits after the second.
  func waitsForConnectivity(after failure: TransferFailure) -> Bool {
    guard failure.cause == .notConnected, context.configuration.waitsForConnectivity, machine.isExchanging,
      response == nil
    else { return false }
    transfer = nil
    guard connectivity.observation != nil else {
      connectivity.observation = NetworkChanges.shared.observe { [weak self] in
        guard let self else { return }
        context.transport.perform { self.handle(.networkChanged) }
      }
      guard connectivity.observation != nil else { return false }
      send(currentRequest)
      return true
    }
    note(.networkLost)
    if !connectivity.isTold {
      connectivity.isTold = true
      client?.loadWaitsForConnectivity(self)
    }
    return true
  }
}
