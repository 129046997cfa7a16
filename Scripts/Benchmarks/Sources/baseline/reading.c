// SPDX-License-Identifier: Apache-2.0
// The jobs that look at a body: byte by byte, and line by line.
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  curl_off_t count, ends;
  char *part;
  size_t length;
};

static struct outcome perform(const char *url, curl_write_callback write, struct reader *reader) {
  CURL *easy = make_handle(url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write), url);
  check(curl_easy_setopt(easy, CURLOPT_WRITEDATA, reader), url);
  check(curl_easy_perform(easy), url);
  curl_easy_cleanup(easy);
  return (struct outcome){1, reader->count};
}

/// Each byte by itself, as a program does that decides about each: not many at once, as a compiler would make it.
static size_t read_bytes(char *bytes, size_t size, size_t count, void *context) {
  struct reader *reader = context;
  for (const volatile char *byte = bytes, *end = bytes + size * count; byte < end; byte++)
    reader->ends += *byte == '\n';
  reader->count += (curl_off_t)(size * count);
  return size * count;
}

struct outcome bytes(const char *url) {
  struct reader reader = {0};
  return perform(url, read_bytes, &reader);
}

/// Each line in memory of its own.
static void take_line(struct reader *reader, const char *start, size_t length) {
  char *line = malloc(reader->length + length + 1);
  if (!line)
    exit(1);
  if (reader->length)
    memcpy(line, reader->part, reader->length);
  memcpy(line + reader->length, start, length);
  line[reader->length + length] = 0;
  reader->count += (curl_off_t)strlen(line) + 1;
  free(line);
  reader->length = 0;
}

static size_t read_lines(char *bytes, size_t size, size_t count, void *context) {
  struct reader *reader = context;
  char *start = bytes, *end = bytes + size * count;
  for (char *stop; (stop = memchr(start, '\n', (size_t)(end - start))); start = stop + 1)
    take_line(reader, start, (size_t)(stop - start));
  size_t rest = (size_t)(end - start);
  char *part = realloc(reader->part, reader->length + rest + 1);
  if (!part)
    return 0;
  reader->part = part;
  memcpy(part + reader->length, start, rest);
  reader->length += rest;
  return size * count;
}

struct outcome lines(const char *path) {
  struct reader reader = {0};
  char url[4096];
  snprintf(url, sizeof url, "file://%s", path);
  struct outcome outcome = perform(url, read_lines, &reader);
  free(reader.part);
  return outcome;
}
