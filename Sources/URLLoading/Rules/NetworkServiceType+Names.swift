// SPDX-License-Identifier: Apache-2.0
public import class FoundationNetworking.NSURLRequest

/// The kinds of traffic that Apple's enumeration has and the toolchain's does not.
///
/// Another module cannot add a case to an enumeration: each name is the value of the nearest case, which is what it reads back as and
/// equals, and a `switch` over all cases has these in its other branches. No load uses any of them.
extension NSURLRequest.NetworkServiceType {
  /// Data that a user waits for; `.default` here.
  public static var responsiveData: Self { .default }

  /// Sound and pictures that are played while they come; `.video` here.
  public static var avStreaming: Self { .video }

  /// Sound and pictures of a conversation; `.voice` here.
  public static var responsiveAV: Self { .voice }

  /// The signals of a call, under the name that Swift gives it; `.networkServiceTypeCallSignaling` here.
  public static var callSignaling: Self { .networkServiceTypeCallSignaling }
}
