// SPDX-License-Identifier: Apache-2.0
// baseline MODE URL [ARGUMENT…]: one job of the comparison; its figures stand in the last line of stdout.
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void raise_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

static _Noreturn void usage(void) {
  fputs("usage: baseline download URL WARM-UP-URL FILE\n"
        "       baseline discard URL WARM-UP-URL [CODING]\n"
        "       baseline collect URL WARM-UP-URL\n"
        "       baseline bytes URL WARM-UP-URL\n"
        "       baseline lines URL WARM-UP-URL FILE\n"
        "       baseline upload | stream URL WARM-UP-URL FILE\n"
        "       baseline small URL WARM-UP-URL COUNT AT-ONCE\n"
        "       baseline parallel | echo URL WARM-UP-URL COUNT\n",
        stderr);
  exit(64);
}

int main(int count, char **arguments) {
  if (count < 4)
    usage();
  const char *mode = arguments[1], *url = arguments[2];
  const char *fourth = count > 4 ? arguments[4] : NULL;
  raise_file_limit();
  check(curl_global_init(CURL_GLOBAL_DEFAULT), "curl_global_init");
  warm_up(arguments[3]);
  begin_measuring();

  struct outcome outcome;
  if (strcmp(mode, "download") == 0 && fourth)
    outcome = download(url, fourth);
  else if (strcmp(mode, "discard") == 0)
    outcome = discard(url, fourth);
  else if (strcmp(mode, "collect") == 0)
    outcome = collect(url);
  else if (strcmp(mode, "bytes") == 0)
    outcome = bytes(url);
  else if (strcmp(mode, "lines") == 0 && fourth)
    outcome = lines(fourth);
  else if (strcmp(mode, "upload") == 0 && fourth)
    outcome = upload(url, fourth);
  else if (strcmp(mode, "stream") == 0 && fourth)
    outcome = stream(url, fourth);
  else if (strcmp(mode, "echo") == 0 && fourth)
    outcome = echo(url, atol(fourth));
  else if (strcmp(mode, "small") == 0 && count > 5)
    outcome = small(url, atol(fourth), atoi(arguments[5]));
  else if (strcmp(mode, "parallel") == 0 && fourth)
    outcome = parallel(url, atoi(fourth));
  else
    usage();
  report(outcome);
  return 0;
}
