// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The facts about a libcurl that were observed, by version: they differ, and libcurl promises none of them.
///
/// Everything that is taken from observation stands here, and a test has the running libcurl show it: `CurlFactsTests`, or that of
/// the behaviour it changes. A version
/// between two that were tried counts as the older one, and one that is newer than any has in each row what leads to an error
/// rather than to a success. Words of libcurl's log may turn a success into an error, or allow a repeat that is safe; no
/// success rests on them.
///
/// | fact | 7.88.1 | 8.5.0 | 8.14.1 | 8.18.0 | 8.21.0 | 8.23.0 | newer |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | `forgetsLines` | no | yes | yes | yes | yes | yes | no |
/// | `showsChunks` | yes | no | yes | yes | yes | yes | yes |
/// | `endsStreamsWithConnection` | yes | no | no | no | no | no | yes |
/// | `losesAnswerBeforeReset` | yes | no | no | no | no | no | no |
/// | `leaksHeldBytes` | yes | no | no | no | no | no | no |
/// | `readsWhilePaused` | no | yes | no | no | no | no | no |
/// | `readsAhead` | no | no | no | yes | yes | yes | yes |
/// | `limitsFields` | no | no | yes | yes | yes | yes | yes |
/// | `refusesTwoLocations` | no | no | no | yes | yes | yes | yes |
/// | `tellsResets` | no | yes | yes | yes | yes | yes | yes |
/// | `tellsResetsAtOnce` | no | no | yes | yes | yes | yes | no |
public struct CurlFacts: Sendable {
  /// The version, as in `curl_version_info_data.version_num`: 0x080500 is 8.5.0.
  public let version: UInt32

  /// The facts of such a version.
  public init(version: UInt32) {
    self.version = version
  }

  /// Those of the libcurl that the process has.
  public static let current = CurlFacts(
    version: unsafe UInt32(curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0))

  /// The versions that the transport's tests were run with.
  public static let tried: [UInt32] = [0x07_58_01, 0x08_05_00, 0x08_0E_01, 0x08_12_00, 0x08_15_00, 0x08_17_00]

  /// True if libcurl carries out NTLM; it may be built without it, as Debian's 8.23.0 is (CURL_VERSION_NTLM).
  package static let carriesOutNTLM =
    unsafe (curl_version_info(CURLVERSION_FIRST)?.pointee.features ?? 0) & CURL_VERSION_NTLM != 0

  /// True if the version is newer than any that was tried.
  public var isUntried: Bool { version > (Self.tried.last ?? 0) }

  /// The version as libcurl writes it, such as `8.5.0`.
  public var name: String { "\(version >> 16 & 0xff).\(version >> 8 & 0xff).\(version & 0xff)" }

  /// True if a handle forgets the last header line of a transfer before the next one (curl pull request 11103, in libcurl 8.1.0
  /// and later), so that it may serve another.
  package var forgetsLines: Bool { version >= 0x08_01_00 && !isUntried }

  /// True if a debug callback is shown the body as it was sent, with its chunks (CURLINFO_DATA_IN). 8.5.0 shows what its
  /// writers get, from which the chunks are gone; from 8.6.0 on a writer behind that one takes them away.
  package var showsChunks: Bool { version >> 8 != 0x08_05 }

  /// True if a connection error that nghttp2 finds ends the streams of the connection in success, for libcurl takes a session
  /// that wants nothing more for one whose streams have ended. Seen with 7.88.1, gone in 8.5.0.
  package var endsStreamsWithConnection: Bool { version < 0x08_05_00 || isUntried }

  /// True if an answer is lost that comes in one read with RST_STREAM(NO_ERROR) behind it.
  package var losesAnswerBeforeReset: Bool { version < 0x08_05_00 }

  /// True if libcurl loses what it holds for a paused transfer that ends while others use its connection (`multi_done` in
  /// lib/multi.c returns before it frees `tempwrite`).
  package var leaksHeldBytes: Bool { version < 0x08_05_00 }

  /// True if libcurl reads the socket of a paused transfer once the caller reports that it is readable (`conn->cselect_bits` in
  /// lib/transfer.c). libcurl buffers those bytes, and discards the buffer when the server closes the connection.
  package var readsWhilePaused: Bool { version >= 0x08_05_00 && version < 0x08_0E_01 }

  /// True if libcurl turns on OpenSSL's read-ahead (SSL_CTX_set_read_ahead(3), in 8.15.0 and later). A stream that ends or pauses
  /// stops reading then, and libcurl does not wake the other streams for the records that OpenSSL holds.
  package var readsAhead: Bool { version >= 0x08_0F_00 }

  /// True if a head has at most 5,000 fields (MAX_HTTP_RESP_HEADER_COUNT, in 8.6.0 and later).
  package var limitsFields: Bool { version >= 0x08_06_00 }

  /// True if a head with two different Location fields ends the transfer (CURLE_WEIRD_SERVER_REPLY, in 8.17.0 and later).
  package var refusesTwoLocations: Bool { version >= 0x08_11_00 }

  /// True if libcurl's log tells of each frame (`curl_global_trace`, in 8.3.0 and later).
  package var tellsResets: Bool { version >= 0x08_03_00 }

  /// True if libcurl calls the header callback before it reads the next frame: a transfer that turns the log on there hears of
  /// every later frame. 8.5.0 reads all frames that came at once before it calls.
  package var tellsResetsAtOnce: Bool { version >= 0x08_0E_01 && !isUntried }
}
