// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The decision about a page of a restore, made from the recorded request and
/// the account that is signed in. ``RestoringPurchases`` carries it out.
enum RestoreDecision: Hashable, Sendable {
    /// The restore ends with this failure.
    case fail(PurchaseFailure)
    /// The list of transactions is fixed for the account, and the page is
    /// read from it.
    case fixList
    /// The page is read from the list that was fixed before.
    case readPage

    /// Decides about a page, counted from 0, for an account.
    ///
    /// An open request has no list: it is new, or its list was deleted. A page
    /// after the first one belongs to a deleted list, because a new list could
    /// have other transactions before the page.
    static func restoring(
        _ request: DeviceRequest, for account: AccountIdentifier, page: Int
    ) -> RestoreDecision {
        if request.status == .open { return page == 0 ? .fixList : .fail(.listDeleted) }
        return request.account == account ? .readPage : .fail(.otherAccount)
    }

    /// The transactions of a list that are still restored: a purchase that was
    /// refunded after the list was fixed isn't.
    static func remaining(
        _ listed: some Sequence<RestoringPurchases.Restored>
    ) -> [RestoringPurchases.Restored] {
        listed.filter { $0.original.revoked == nil }
    }
}
