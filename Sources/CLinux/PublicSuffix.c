// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

typedef const void *(*builtin_list)(void);
typedef int (*is_public_suffix)(const void *list, const char *domain);

static const void *list;
static is_public_suffix find;

static void load(void) {
  void *library = dlopen("libpsl.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return;
  builtin_list builtin = (builtin_list)dlsym(library, "psl_builtin");
  find = (is_public_suffix)dlsym(library, "psl_is_public_suffix");
  if (builtin != NULL && find != NULL) list = builtin();
}

int workbench_is_public_suffix(const char *domain) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return list == NULL ? -1 : find(list, domain) != 0;
}
