// SPDX-License-Identifier: Apache-2.0
public import URLLoading

/// The methods of a store of credentials that take one of our tasks; the toolchain's own take its own. As on Apple the task
/// changes nothing: it is there for subclasses that override them.
///
/// A space stands for every one with the same fields, where the toolchain's finds only the very object.
extension URLCredentialStorage {
  /// Gives `completionHandler` the credentials for a space by their users' names, or nil, before it returns.
  public func getCredentials(
    for protectionSpace: URLProtectionSpace, task: URLSessionTask,
    completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
  ) {
    completionHandler(credentials(for: known(protectionSpace)))
  }

  /// The credentials for a space by their users' names; the asynchronous form of `getCredentials(for:task:completionHandler:)`.
  public func credentials(
    for protectionSpace: URLProtectionSpace, task: URLSessionTask
  ) async -> [String: URLCredential]? {
    await withCheckedContinuation { continuation in
      getCredentials(for: protectionSpace, task: task) { continuation.resume(returning: $0) }
    }
  }

  /// Keeps a credential for a space.
  public func set(_ credential: URLCredential, for protectionSpace: URLProtectionSpace, task: URLSessionTask) {
    set(credential, for: known(protectionSpace))
  }

  /// Forgets a credential for a space. `options` have no effect: nothing here is synchronized with other devices.
  public func remove(
    _ credential: URLCredential, for protectionSpace: URLProtectionSpace, options: [String: Any]? = [:],
    task: URLSessionTask
  ) {
    remove(credential, for: known(protectionSpace))
  }

  /// Gives `completionHandler` the credential that is proposed first for a space, or nil, before it returns.
  public func getDefaultCredential(
    for space: URLProtectionSpace, task: URLSessionTask, completionHandler: @escaping @Sendable (URLCredential?) -> Void
  ) {
    completionHandler(defaultCredential(for: known(space)))
  }

  /// The credential that is proposed first for a space; the asynchronous form of
  /// `getDefaultCredential(for:task:completionHandler:)`.
  public func defaultCredential(for space: URLProtectionSpace, task: URLSessionTask) async -> URLCredential? {
    await withCheckedContinuation { continuation in
      getDefaultCredential(for: space, task: task) { continuation.resume(returning: $0) }
    }
  }

  /// Makes a credential the one that is proposed first for a space.
  public func setDefaultCredential(
    _ credential: URLCredential, for protectionSpace: URLProtectionSpace, task: URLSessionTask
  ) {
    setDefaultCredential(credential, for: known(protectionSpace))
  }
}
