// SPDX-License-Identifier: Apache-2.0
// One import is enough: Foundation and the value types of FoundationNetworking come along, the toolchain's own
// `URLSession` stays out of sight. URLLoading itself has nothing public to show.
@_exported public import URLLoading
