// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

extension CustomerForm {
    /// The contact that the customer shares; `nil` when the box isn't checked.
    ///
    /// - Throws: `DomainError` `invalid`.
    func contact(of account: Account) throws -> SharedContact? {
        guard share == "yes" else { return nil }
        return try SharedContact(
            name: name ?? "", email: contactEmail ?? "", postcode: postcode ?? "", of: account)
    }

    /// The consequence that was on the page; `nil` for a form without one.
    ///
    /// - Throws: `StoreFailure` `invalid` for another text.
    func shownChange() throws -> PlanChange? {
        guard let change, !change.isEmpty else { return nil }
        guard let known = PlanChange(rawValue: change) else {
            throw StoreFailure(.invalid, "change is subscribe, upgrade, choose or keep, as the page has it.")
        }
        return known
    }
}
