// SPDX-License-Identifier: Apache-2.0
// The jobs of one transfer: curl_easy_perform and a callback.
#include "baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Runs the transfer and takes its byte count from libcurl itself.
static struct outcome perform(CURL *easy, const char *url, CURLINFO bytes) {
  struct outcome outcome = {1, 0};
  check(curl_easy_perform(easy), url);
  check(curl_easy_getinfo(easy, bytes, &outcome.bytes), url);
  curl_easy_cleanup(easy);
  return outcome;
}

static size_t write_piece(char *bytes, size_t size, size_t count, void *context) {
  size_t total = size * count, done = 0;
  while (done < total) {
    ssize_t written = write(*(int *)context, bytes + done, total - done);
    if (written < 0 && errno != EINTR)
      return 0;
    if (written > 0)
      done += (size_t)written;
  }
  return total;
}

struct outcome download(const char *url, const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    perror(path);
    exit(1);
  }
  CURL *easy = make_handle(url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write_piece), url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEDATA, &file), url);
  struct outcome outcome = perform(easy, url, CURLINFO_SIZE_DOWNLOAD_T);
  close(file);
  return outcome;
}

struct outcome discard(const char *url, const char *coding) {
  curl_off_t counter = 0;
  CURL *easy = make_handle(url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes), url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEDATA, &counter), url);
  if (coding)
    check(curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, coding), coding);
  struct outcome outcome = perform(easy, url, CURLINFO_SIZE_DOWNLOAD_T);
  // libcurl counts what came over the wire.
  outcome.bytes = counter;
  return outcome;
}

struct memory {
  char *bytes;
  size_t count;
};

static size_t append_piece(char *bytes, size_t size, size_t count, void *context) {
  struct memory *memory = context;
  char *grown = realloc(memory->bytes, memory->count + size * count);
  if (!grown)
    return 0;
  memcpy(grown + memory->count, bytes, size * count);
  memory->bytes = grown;
  memory->count += size * count;
  return size * count;
}

struct outcome collect(const char *url) {
  struct memory memory = {NULL, 0};
  CURL *easy = make_handle(url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append_piece), url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEDATA, &memory), url);
  struct outcome outcome = perform(easy, url, CURLINFO_SIZE_DOWNLOAD_T);
  free(memory.bytes);
  return outcome;
}

/// With a length of -1 in chunks.
static struct outcome send_file(const char *url, const char *path, curl_off_t length) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  curl_off_t counter = 0;
  struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
  CURL *easy = make_handle(url);
  check(curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L), url);
  check(curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 65536L), url);
  check(curl_easy_setopt(easy, CURLOPT_READDATA, file), url);
  check(curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, length), url);
  check(curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers), url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes), url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEDATA, &counter), url);
  struct outcome outcome = perform(easy, url, CURLINFO_SIZE_UPLOAD_T);
  // libcurl counts the sizes of chunks, too.
  outcome.bytes = ftello(file);
  curl_slist_free_all(headers);
  fclose(file);
  return outcome;
}

struct outcome upload(const char *url, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) {
    perror(path);
    exit(1);
  }
  return send_file(url, path, status.st_size);
}

struct outcome stream(const char *url, const char *path) { return send_file(url, path, -1); }
