// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nothing to call: whoever links this has a home of its own for what Foundation's shared stores write to disk.
