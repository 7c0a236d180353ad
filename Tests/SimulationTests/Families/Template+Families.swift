// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport

extension Template {
    /// The catalogue of a world of families, whose apples are shared.
    static let sharedCatalogue = TestStore.catalogue.replacing(
        "\"familyShareable\" : false, \"internalID\" : \"1\"",
        with: "\"familyShareable\" : true, \"internalID\" : \"1\"")

    /// Makes a family of the accounts: the first one is the organiser, and the
    /// last one the child.
    static func raise(_ accounts: [Account], in store: TestStore) async throws {
        let changing = ChangingFamily(store.context)
        _ = try await changing.begin(organiser: accounts[0].email)
        for (number, account) in accounts.enumerated().dropFirst() {
            _ = try await changing.add(
                account.email, as: number == accounts.count - 1 ? .child : .parent, organiser: accounts[0].email)
        }
    }
}
