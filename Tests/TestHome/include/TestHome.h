// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whoever links this has a home of its own for what Foundation's shared stores write to disk; nothing to call for that.

#include "FailingCalls.h"
#include "HeldCalls.h"
