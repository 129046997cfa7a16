// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transport

/// The sentences of libcurl's log about streams, as the versions word them.
@Suite struct StreamNewsTests {
  private func news(_ text: String) -> StreamNews? { StreamNews(Array((text + "\n").utf8).span) }

  @Test(arguments: [
    ("REFUSED_STREAM, retrying a fresh connect", StreamNews.refused),
    ("recveived GOAWAY, error=0, last_stream=7", .wentAway(behind: 7)),
    ("received GOAWAY, error=0, last_stream=2147483647", .wentAway(behind: 2_147_483_647)),
    ("HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)", .failed),
    ("HTTP/2 stream 1 reset by server (error 0x2 INTERNAL_ERROR)", .failed),
    ("[HTTP/2] [3] <- FRAME[RST_STREAM, len=4, flags=0, error=0]", .reset(3, isRefused: false)),
    ("[HTTP/2] [3] <- FRAME[RST_STREAM, len=4, flags=0, error=7]", .reset(3, isRefused: true)),
    ("[HTTP/2] [3] CLOSED", .own(3)), ("Using Stream ID: 5 (easy handle 0x5581)", .own(5)),
    ("[HTTP/2] [7] OPENED stream for https://localhost/", .own(7)),
  ])
  func `what a version says of a stream is heard`(sentence: (text: String, news: StreamNews)) {
    #expect(news(sentence.text) == sentence.news)
  }

  @Test(arguments: [
    "received GOAWAY, error=2, last_stream=7", "received GOAWAY, error=0, last_stream=",
    "received GOAWAY, error=0, last_stream=99999999999",
    "HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)", "HTTP/2 stream 1 reset by server (error 0x8 CANCEL)",
    "HTTP/2 stream 1 reset by server (error 0x0 NO_ERROR)", "[HTTP/2] [0] <- FRAME[RST_STREAM, len=4]",
    "[HTTP/2] [x] CLOSED",
    "[HTTP/2] [1] <- FRAME[DATA, len=4, eos=1, padlen=0]", "[HTTP/2", "[HTTP/2]", "[", "", "r",
    "Connected to localhost",
    "[HTTP/2] [1] header: x: REFUSED_STREAM", "[HTTP/2] [1] [x: received GOAWAY, error=0, last_stream=0]",
    "< x: received GOAWAY, error=0, last_stream=0",
  ])
  func `an error of the connection, a server's own words and all else are no news`(text: String) {
    #expect(news(text) == nil)
  }
}
