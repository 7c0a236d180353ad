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
}
