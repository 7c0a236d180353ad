// SPDX-License-Identifier: Apache-2.0

/// The numbers of an app and of one of its versions, as receipts and signed app
/// transactions have them.
struct AppNumbers: Hashable, Sendable {
    /// Apple's `app_item_id` and `appAppleId`; `nil` in the sandbox, whose
    /// receipts have none, and for an app without a number.
    var app: Int64?
    /// Apple's `version_external_identifier`; `nil` in the sandbox, and for a
    /// version that isn't registered.
    var version: Int64?
    /// The number of the item that is the app; `nil` for an app without a page.
    var item: Int64?
}
