// SPDX-License-Identifier: Apache-2.0

/// What an alert says. It has one button, OK.
struct Alert: Encodable, Hashable, Sendable {
    var title: String
    var message = ""
}
