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

    /// The most orders that a round takes up: of all teams, and of each.
    private static let most = 20
    private static let mostOfATeam = 4

    /// Carries out the oldest orders that aren't complete: a page of each in
    /// turn, so that an app with many subscribers holds up no other. One that
    /// fails is reported, and tried again in the next round.
    ///
    /// - Throws: `DatabaseError` when the orders can't be read,
    ///   `CancellationError`.
    package func callAsFunction(
        pageSize: Int = ExtendingSubscription.pageSize, report: @Sendable (any Error) -> Void = { _ in }
    ) async throws {
        var orders = try await read { db in
            try MassExtension.open(limit: Self.most, ofATeam: Self.mostOfATeam, db)
        }
        while !orders.isEmpty {
            var next: [MassExtension] = []
            for order in orders {
                try Task.checkCancellation()
                do {
                    if let order = try await carryOutPage(of: order, pageSize) { next.append(order) }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    report(error)
                }
            }
            orders = next
        }
    }

    /// Carries out the next page of an order.
    ///
    /// - Returns: The order with its progress; `nil` when it is complete, or
    ///   another process has saved this page.
    private func carryOutPage(of order: MassExtension, _ pageSize: Int) async throws -> MassExtension? {
        let page = try await ExtendingSubscription(context)(
            subscribersOf: order.product, in: order.bundleIdentifier, by: order.order,
            storefronts: order.storefronts, after: order.place, pageSize: pageSize)
        let (place, next) = (order.place, order.after(page, at: now))
        faults("extension:page")
        let isSaved = try await write(.key(order.order.request.rawValue)) { db in
            guard try next.save(after: place, db) else { return false }
            for refused in page.refused { try next.notify(of: refused, db) }
            if next.completed != nil { try next.notifyOfEnd(db) }
            return true
        }
        return isSaved && next.completed == nil ? next : nil
    }
}
