// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// Rules for the renewals of one account of the sandbox, instead of those of
/// its apps and products. The history of a notification sets them, so that it
/// changes nothing for other customers. They end after a time, also when the
/// process that has set them has died.
package struct TesterRules: Hashable, Sendable {
    /// The days of grace; `nil` for those of the app.
    package var graceDays: Int?
    /// Whether a renewal ends as if its product weren't sold any more.
    package var endsUnsold = false

    package init() {}

    /// How long they apply, in the wall's time.
    static let lifetime = Duration.seconds(600)
}
