// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Whether the loader wrote into the code of this object (DT_TEXTREL): what it wrote stands in no file.
static int has_written_code(const struct dl_phdr_info *object) {
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + segment->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
        return 1;
  }
  return 0;
}

// Unmaps the pages of an object's code and constants. None of them was ever written to, so the kernel maps them again
// from the page cache, or from the file, when they are used.
static int drop_segments(struct dl_phdr_info *object, size_t size, void *page) {
  (void)size;
  // The kernel's own object has no file.
  if (strncmp(object->dlpi_name, "linux-", 6) == 0 || has_written_code(object))
    return 0;
  uintptr_t mask = ~(*(const uintptr_t *)page - 1);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
      continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & mask;
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & mask;
    if (end > start)
      madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void workbench_share_one_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  // Said once, the threshold stays: else it grows with each large block, and the next ones lie in the heap.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

void workbench_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(drop_segments, &page);
}
