// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

// `inflateInit2` is a macro, which Swift cannot call.
// windowBits: 15 + 16 reads gzip, 15 zlib, -15 raw deflate (zlib manual, "inflateInit2").
static inline int workbench_inflate_init(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}
