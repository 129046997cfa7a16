// SPDX-License-Identifier: Apache-2.0
// The module that answers `import SessionAPI` for the toolchain's side.
@_exported public import Foundation
@_exported public import FoundationNetworking
