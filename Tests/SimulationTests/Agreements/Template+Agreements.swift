// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport

extension Template {
    /// The offers of the worlds of agreements: one more is for former customers
    /// only.
    static let returning = OfferedPlans.Offer(
        product: "monthly", kind: "code", name: "return", mode: "free", period: "P1M", isForFormerCustomers: true)

    /// The catalogue of a world of agreements. A product of each group gives a
    /// month for the contact, once for an account and app.
    static let agreedCatalogue = ["large", "paper"].reduce(catalogue(with: OfferedPlans.offers + [returning])) {
        let product = "\"productID\" : \"\($1)\", \"referenceName\""
        return $0.replacing(
            product, with: "\"_openStoreKit\" : { \"sharesContact\" : { \"bonus\" : \"P1M\" } }, \(product)")
    }

    /// The number of accounts in a world of agreements: the organiser, a parent
    /// and a child of a family, the organiser and a child of another one, and an
    /// account that is alone.
    static let members = 6

    static func raiseTwo(of accounts: [Account], in store: TestStore) async throws {
        let changing = ChangingFamily(store.context)
        let (mother, father, child, aunt, cousin) = (accounts[0], accounts[1], accounts[2], accounts[3], accounts[4])
        _ = try await changing.begin(organiser: mother.email)
        _ = try await changing.add(father.email, as: .parent, organiser: mother.email)
        _ = try await changing.add(child.email, as: .child, organiser: mother.email)
        _ = try await changing.begin(organiser: aunt.email)
        _ = try await changing.add(cousin.email, as: .child, organiser: aunt.email)
    }

    /// Makes a code of each app for former customers.
    static func prepareReturns(in store: TestStore) async throws -> [OfferedPlans.Code] {
        var codes: [OfferedPlans.Code] = []
        for (number, bundle) in bundles.enumerated() {
            let order = ManagingCodes.Order(
                batch: "RETURN-\(number)", bundleIdentifier: BundleIdentifier(bundle),
                productIdentifier: ProductIdentifier(returning.product), kind: .custom, offer: returning.name,
                name: "RETURN", usesLimit: 20, code: "RETURN")
            codes += try await make(order, store)
        }
        return codes
    }
}
