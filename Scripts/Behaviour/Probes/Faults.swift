// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import ServerParts
import SessionAPI

/// How a load ends by each fault of the lesson server's catalogue.
func addFaults(to probes: Probes) {
  for fault in FaultCatalogue.http1 + FaultCatalogue.redirects + FaultCatalogue.codings {
    guard fault.exchanges.count == 1, let exchange = fault.exchanges.first else { continue }
    let ends = words(exchange.outcomes).joined(separator: " or ")
    probes.add(
      Probe(
        id: "fault.\(fault.id)-\(fault.variant)", feature: "messages and their faults", member: fault.summary,
        rule:
          "By the RFCs and the meaning of the codes the load ends with \(ends).",
        source: "RFC 9110 and 9112; " + page("urlerror"), wanted: words(exchange.outcomes)
      ) { ask(fault, exchange) })
  }
}

private func words(_ outcomes: [FaultOutcome]) -> [String] {
  var words: [String] = []
  for outcome in outcomes {
    switch outcome {
    case .success(let status, let body): words.append("\(status), \(body.count) bytes")
    case .failure(let codes): words += codes.map { "\($0)" }
    }
  }
  return words
}

private func ask(_ fault: FaultCase, _ exchange: FaultExchange) -> String {
  let server = server(fault.routes + Route.standard)
  let configuration = URLSessionConfiguration.ephemeral
  configuration.timeoutIntervalForRequest = fault.idleTimeout / .seconds(1)
  if let limit = fault.resourceTimeout { configuration.timeoutIntervalForResource = limit / .seconds(1) }
  var request = URLRequest(url: address(server, fault.path()))
  request.httpMethod = exchange.method
  if exchange.bodySize > 0 {
    request.httpBody = Data(SeededBody(seed: 1).bytes(0..<exchange.bodySize))
  }
  if exchange.expectsContinue { request.setValue("100-continue", forHTTPHeaderField: "Expect") }
  let end = load(request, configuration)
  guard end.error == nil, end.response != nil else { return end.words }
  return "\(end.status), \(end.data?.count ?? 0) bytes"
}
