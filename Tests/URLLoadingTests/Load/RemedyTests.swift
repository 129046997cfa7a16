// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Transport
@testable import URLLoading

/// The machine's remedy for each failure of a transfer.
@Suite struct RemedyTests {
  private typealias Cause = TransferFailure.Cause
  private typealias Remedy = LoadMachine.Remedy

  /// All causes that have a remedy while a request is on its way and everything is allowed.
  private static let remedies: [Cause: Remedy] = [
    .bodyNotRepeatable: .sendAgain, .notConnected: .waitForNetwork, .connectionLost: .continueUpload,
    .cannotConnect: .goRoundProxy, .cannotResolveHost: .goRoundProxy,
    .proxyAuthenticationRequired: .askClient, .certificateUndecided: .askClient, .identityUndecided: .askClient,
  ]

  private static func machine(_ more: LoadMachine.Event...) -> LoadMachine {
    var machine = LoadMachine()
    for event in [.started, .requestChosen, .sourceStarted(.transfer), .sourceEnded] + more {
      _ = machine.handle(event)
    }
    return machine
  }

  @Test(arguments: TransferFailure.Cause.allCases) func `each cause has its remedy, or ends the load`(
    cause: TransferFailure.Cause
  ) {
    let remedy = Self.machine().remedy(
      for: cause, waitsForConnectivity: true, continuesUploads: true, mayGoRoundProxy: true)
    #expect(remedy == Self.remedies[cause] ?? .end)
  }

  @Test(arguments: TransferFailure.Cause.allCases) func `nothing is sent again once a response was shown`(
    cause: TransferFailure.Cause
  ) {
    let machine = Self.machine(.responseShown)
    let remedy = machine.remedy(
      for: cause, waitsForConnectivity: true, continuesUploads: true, mayGoRoundProxy: true)
    #expect(remedy == (Self.remedies[cause] == .askClient ? .askClient : .end))
  }

  @Test func `a load waits for a network, continues an upload and goes round a proxy only where it may`() {
    let machine = Self.machine()
    for cause in [Cause.notConnected, .connectionLost, .cannotConnect, .cannotResolveHost] {
      let remedy = machine.remedy(
        for: cause, waitsForConnectivity: false, continuesUploads: false, mayGoRoundProxy: false)
      #expect(remedy == .end)
    }
  }
}
