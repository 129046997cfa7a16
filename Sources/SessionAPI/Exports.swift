// SPDX-License-Identifier: Apache-2.0
// One import is enough: all of Foundation, and the value types that requests and responses are made of.
@_exported public import URLLoading
