// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// The answer to a request that only shows the customer a sheet. The
/// customer's purchase or answer reaches the device as events of the account.
package struct SheetAnswer: Codable, Sendable, Hashable {
    /// The address of the sheet; `nil` when the request has ended, and when
    /// there is nothing to show.
    package var sheet: String?
    /// Why the request failed, for example because the customer cancelled the
    /// sheet; `nil` when it didn't fail.
    package var failure: PurchaseFailure?

    package init(sheet: String? = nil, failure: PurchaseFailure? = nil) {
        self.sheet = sheet
        self.failure = failure
    }
}
