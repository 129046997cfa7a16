// SPDX-License-Identifier: Apache-2.0
// A target must depend on what the plugin documents; it has nothing of its own.
