// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// What a local source reports, in place of a transfer. On the I/O thread.
extension Load {
  /// A local source brought something.
  func reported(_ event: LocalSourceEvent, _ source: any LocalSource) {
    guard let localSource, localSource.isReporting(source) else { return }
    switch event {
    case .response(let response):
      guard localSource.held == nil, machine.awaitsResponse else { return }
      localSource.held = response
      if !mayRedirect(response) { announceHeld() }
    case .body(let data):
      announceHeld()
      localSource.append(data)
    case .end(let error):
      announceHeld()
      localSource.end(error)
    case .redirect(let response, let request): return redirectedLocally(response, to: request)
    }
    drainSource()
  }

  /// True if a class may yet ask for the redirect that its response names.
  private func mayRedirect(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse else { return false }
    let location = response.value(forHTTPHeaderField: "Location")
    return RedirectRules.outcome(status: response.statusCode, location: location, request: currentRequest) != .final
  }

  /// Shows the response of a local source, which no redirect took the place of.
  private func announceHeld() {
    guard let response = localSource?.held.take() else { return }
    tellAnswer(response)
    _ = announce(response)
  }

  private func redirectedLocally(_ response: URLResponse, to request: URLRequest) {
    guard machine.awaitsResponse else {
      let text = "The protocol tells of a redirect behind its response."
      return end(LoadError.error(.badServerResponse, url: currentURL, description: text))
    }
    dropSource()
    note(.sourceEnded)
    guard let redirect = response as? HTTPURLResponse else {
      setCurrent(request)
      return send(request)
    }
    _ = redirected(by: redirect, to: request)
  }

  /// Gives the source's bytes to where the body goes, as long as that can take them.
  func drainSource() {
    while machine.isExchanging, holds.isEmpty, machine.hasResponse, let piece = localSource?.next() {
      unsafe piece.withUnsafeBytes { _ = unsafe take($0) }
    }
    guard machine.isExchanging, holds.isEmpty, let localSource else { return }
    switch localSource.step(hasResponse: machine.hasResponse) {
    case .wait: break
    case .askForMore: localSource.source.more(for: self)
    case .fail(let error): end(error)
    case .failWithoutResponse:
      end(LoadError.error(.badServerResponse, url: currentURL, description: "There was no response."))
    case .finish:
      dropSource()
      note(.sourceEnded)
      finishIfComplete()
    }
  }

  /// Nothing more is wanted of the source.
  func dropSource() {
    localSource?.source.stop()
    localSource = nil
  }
}
