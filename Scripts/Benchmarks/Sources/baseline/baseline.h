// SPDX-License-Identifier: Apache-2.0
// The jobs of the plain C side, each as a competent program without tricks would do it: libcurl's default receive
// buffer, each piece used as it comes, no gathering.
#pragma once
#include <curl/curl.h>
#include <stddef.h>

/// What a program reports of itself in its last line.
struct outcome {
  long transfers;
  curl_off_t bytes;
};

struct outcome download(const char *url, const char *path);
/// With a coding ("br") the body is asked for in it and decoded.
struct outcome discard(const char *url, const char *coding);
struct outcome collect(const char *url);
struct outcome bytes(const char *url);
struct outcome lines(const char *path);
struct outcome upload(const char *url, const char *path);
/// Of a length that is not said, in chunks.
struct outcome stream(const char *url, const char *path);
/// Messages of 16 bytes over a bare socket, each answered before the next.
struct outcome echo(const char *url, long count);
struct outcome small(const char *url, long count, int at_once);
struct outcome parallel(const char *url, int count);

/// One transfer to the same server before the measuring starts, so that neither side pays for its libraries' first use.
void warm_up(const char *url);
/// Sets the high-water mark of resident memory back and takes it, and the processor time used so far, as the baseline.
void begin_measuring(void);
/// Prints the last line: processor and clock time in microseconds, growth of the high-water mark in bytes, threads, transfers and body bytes.
void report(struct outcome outcome);

/// Ends the program with a sentence where a result is not CURLE_OK.
void check(CURLcode code, const char *what);
/// An easy handle for `url` that fails on HTTP errors and trusts the authority that SSL_CERT_FILE names.
CURL *make_handle(const char *url);
/// The write callback that counts into a curl_off_t and throws the bytes away.
size_t count_bytes(char *bytes, size_t size, size_t count, void *counter);
