// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the requests to buy that a parent may answer, with the terms of now.
package struct ListingChildRequests: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The family of an account, and the requests that wait for its answer.
    package struct Page: Sendable {
        /// `nil` for an account without a family.
        package var family: Family?
        /// Oldest first.
        package var requests: [ChildRequest]
    }

    /// The requests of the other members of a parent's family; none for an
    /// account that isn't a parent.
    package func callAsFunction(for parent: AccountIdentifier) async throws -> Page {
        try await read { db in
            guard let family = try Family.of(parent, db) else { return Page(family: nil, requests: []) }
            let requests = try family.wards(of: parent).flatMap { child in
                try DeviceRequest.deferred(of: child.account, db).compactMap {
                    try Self.request($0, of: child, for: parent, db)
                }
            }
            return Page(family: family, requests: requests.sorted { $0.asked < $1.asked })
        }
    }

    /// Whether a request waits for the answer of the parent who is signed in on a device.
    package func waits(
        _ transaction: TransactionIdentifier, forParentOn device: DeviceIdentifier
    ) async throws -> Bool {
        try await read { db in
            guard let parent = try Device.signedInAccount(on: device, db)?.identifier,
                let family = try Family.of(parent, db)
            else { return false }
            return try family.wards(of: parent).contains { child in
                try DeviceRequest.deferred(of: child.account, db).contains {
                    $0.transactionIdentifier == transaction && !$0.isUnanswered(at: db.now)
                }
            }
        }
    }

    /// A request of a member as a parent is shown it; `nil` for one of a closed
    /// account.
    static func request(
        _ request: DeviceRequest, of child: FamilyMember, for parent: AccountIdentifier, _ db: StoreTransaction
    ) throws -> ChildRequest? {
        guard let account = try Account.findOpen(child.account, db), let transaction = request.transactionIdentifier,
            let asked = request.deferred, let identifier = request.productIdentifier
        else { return nil }
        let bundle = request.bundleIdentifier
        let product = try Catalogue.product(identifier, of: bundle, db)
        return ChildRequest(
            transaction: transaction, child: child,
            app: try Catalogue.app(bundle, db) ?? App(bundleIdentifier: bundle, name: App.name(of: bundle)),
            product: product, productIdentifier: identifier, quantity: request.quantity,
            storefront: account.storefront, asked: asked, until: request.answerUntil,
            outcome: try outcome(of: request, product, for: account, parent, db))
    }

    private static func outcome(
        of request: DeviceRequest, _ product: Product?, for account: Account, _ parent: AccountIdentifier,
        _ db: StoreTransaction
    ) throws -> ChildRequest.Outcome {
        guard !request.isUnanswered(at: db.now) else { return .fails(.unapproved) }
        let ownership = try product.map { try Ownership(of: $0, by: account, request.discount, request.code, db) }
        do {
            switch try PurchaseDecision.resuming(request, product, for: account, ownership ?? .notOwned) {
            case .buy(let terms):
                return .buys(ShownTerms(terms), try terms.subscription?.showingGivenBack(to: parent, of: account, db))
            case .refuse(let failure): return .fails(failure)
            case .waitForApproval, .interrupt: return .waits
            }
        } catch let error as DomainError where error.code == .underWay {
            return .waits
        }
    }
}
