// SPDX-License-Identifier: Apache-2.0

/// The title and message of an alert with one button, OK.
struct Alert: Encodable, Hashable, Sendable {
    var title: String
    var message = ""
}
