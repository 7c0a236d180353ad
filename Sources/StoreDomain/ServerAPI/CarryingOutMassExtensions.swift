// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Extends the subscriptions of sellers' orders for all subscribers of a
/// product, page by page.
///
/// The progress is saved after each page. A page whose process dies is read
/// again: a subscription is extended once for an order, and counted when the
/// progress is saved. Of two processes that read a page at the same time one
/// saves it, and the other leaves the order to it.
package struct CarryingOutMassExtensions: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most orders that are carried out in turn: of all teams, and of each.
    private static let most = 20
    private static let mostOfATeam = 4

    /// Carries out the oldest orders that aren't complete: a page of each in
    /// turn, so that an app with many subscribers holds up no other, also none
    /// that is ordered meanwhile. One that fails is reported, and tried again in
    /// the next round.
    ///
    /// - Throws: `DatabaseError` when the orders can't be read,
    ///   `CancellationError`.
    package func callAsFunction(
        pageSize: Int = ExtendingSubscription.pageSize, report: @Sendable (any Error) -> Void = { _ in }
    ) async throws {
        // Those that failed, or that another process carries out.
        var left: Set<[String]> = []
        while true {
            let orders = try await read { [count = left.count] db in
                try MassExtension.open(limit: Self.most + count, ofATeam: Self.mostOfATeam + count, db)
            }.filter { !left.contains($0.key) }
            guard !orders.isEmpty else { return }
            for order in orders {
                try Task.checkCancellation()
                do {
                    if try await !carryOutPage(of: order, pageSize) { left.insert(order.key) }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    report(error)
                    left.insert(order.key)
                }
            }
        }
    }

    /// Carries out the next page of an order.
    ///
    /// - Returns: `false` when another process has saved this page.
    private func carryOutPage(of order: MassExtension, _ pageSize: Int) async throws -> Bool {
        let page = try await ExtendingSubscription(context)(
            subscribersOf: order.product, in: order.bundleIdentifier, by: order.order,
            storefronts: order.storefronts, after: order.place, pageSize: pageSize)
        let (place, next) = (order.place, order.after(page, at: now))
        faults("extension:page")
        return try await write(.key(order.order.request.rawValue)) { db in
            guard try next.save(after: place, db) else { return false }
            for refused in page.refused { try next.notify(of: refused, db) }
            if next.completed != nil { try next.notifyOfEnd(db) }
            return true
        }
    }
}

extension MassExtension {
    /// The values that tell an order from all others.
    fileprivate var key: [String] { [bundleIdentifier.rawValue, product.rawValue, order.request.rawValue] }
}
