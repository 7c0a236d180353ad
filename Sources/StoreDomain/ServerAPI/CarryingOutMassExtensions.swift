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

    /// The most orders that a round takes up.
    private static let most = 20

    /// Carries out all orders that aren't complete. One that fails is reported,
    /// and tried again in the next round.
    ///
    /// - Throws: `DatabaseError` when the orders can't be read,
    ///   `CancellationError`.
    package func callAsFunction(
        pageSize: Int = ExtendingSubscription.pageSize, report: @Sendable (any Error) -> Void = { _ in }
    ) async throws {
        for order in try await read({ db in try MassExtension.open(limit: Self.most, db) }) {
            do {
                try await carryOut(order, pageSize)
            } catch let error as CancellationError {
                throw error
            } catch {
                report(error)
            }
        }
    }

    private func carryOut(_ order: MassExtension, _ pageSize: Int) async throws {
        var order = order
        while order.completed == nil {
            try Task.checkCancellation()
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
            guard isSaved else { return }
            order = next
        }
    }
}
