// SPDX-License-Identifier: Apache-2.0

// Apple's framework exports Foundation, too. The module has a class of its own name: `OSLog.OSLog` would be that class's
// member.
@_exported public import Foundation
@_exported public import os
