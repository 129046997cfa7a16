// SPDX-License-Identifier: Apache-2.0
// What every job shares: the handle's options, the warm-up and the figures.
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static long baseline_bytes;
static long long baseline_microseconds, begun;

/// Processor time of all threads until now.
static long long processor_microseconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static long long clock_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/// A figure of /proc/self/status: "VmHWM" in kB, "Threads" as a count.
static long status_figure(const char *name) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long figure = 0;
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, name, strlen(name)) == 0)
      figure = strtol(line + strlen(name) + 1, NULL, 10);
  if (status)
    fclose(status);
  return figure;
}

void begin_measuring(void) {
  FILE *references = fopen("/proc/self/clear_refs", "w");
  if (references) {
    fputs("5", references);
    fclose(references);
  }
  baseline_bytes = status_figure("VmHWM") * 1024;
  baseline_microseconds = processor_microseconds();
  begun = clock_microseconds();
}

void report(struct outcome outcome) {
  long long processor = processor_microseconds() - baseline_microseconds;
  printf("processor=%lld wall=%lld growth=%ld threads=%ld transfers=%ld bytes=%lld\n", processor,
         clock_microseconds() - begun, status_figure("VmHWM") * 1024 - baseline_bytes, status_figure("Threads"), outcome.transfers,
         (long long)outcome.bytes);
}

void check(CURLcode code, const char *what) {
  if (code == CURLE_OK)
    return;
  fprintf(stderr, "baseline: %s: %s\n", what, curl_easy_strerror(code));
  exit(1);
}

CURL *make_handle(const char *url) {
  CURL *easy = curl_easy_init();
  if (!easy)
    check(CURLE_OUT_OF_MEMORY, "curl_easy_init");
  check(curl_easy_setopt(easy, CURLOPT_URL, url), url);
  check(curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L), url);
  const char *buffer = getenv("BASELINE_BUFFER");
  if (buffer)
    check(curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, atol(buffer)), "BASELINE_BUFFER");
  const char *authority = getenv("SSL_CERT_FILE");
  if (authority)
    check(curl_easy_setopt(easy, CURLOPT_CAINFO, authority), authority);
  return easy;
}

size_t count_bytes(char *bytes, size_t size, size_t count, void *counter) {
  (void)bytes;
  *(curl_off_t *)counter += (curl_off_t)(size * count);
  return size * count;
}

void warm_up(const char *url) { discard(url, NULL); }
