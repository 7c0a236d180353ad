// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Notifies the parents of a family of the requests to buy that wait for them.
///
/// Each parent is notified in one transaction, which deletes the record of it:
/// a process that ends before it, or another one that does the same, notifies
/// no parent twice and forgets none.
package struct NotifyingParents: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A parent who couldn't be notified.
    package struct Failure: Sendable {
        package var account: AccountIdentifier
        package var error: any Error
    }

    /// Notifies all parents that are recorded now. One that fails doesn't stop
    /// the others, and is tried again in the next round.
    package func callAsFunction(report: (Failure) -> Void = { _ in }) async throws {
        var last: ParentNotice?
        while true {
            let due = try await read { [last] db in try ParentNotice.due(after: last, db) }
            guard let final = due.last else { return }
            for notice in due {
                do {
                    faults("notify:before")
                    try await write(for: notice.account) { db in try Self.notify(notice, db) }
                    faults("notify:after")
                } catch {
                    report(Failure(account: notice.account, error: error))
                }
            }
            last = final
        }
    }

    /// Notifies a parent, unless the request was answered or the parent has
    /// left the family since.
    private static func notify(_ notice: ParentNotice, _ db: StoreTransaction) throws {
        guard try notice.delete(db), let parent = try Account.findOpen(notice.account, db),
            let request = try DeviceRequest.find(transaction: notice.transaction, db), request.status == .deferred,
            let child = request.account, let family = try Family.of(child, db),
            family.mayDecide(parent.identifier, about: child)
        else { return }
        try send(request, to: parent, db)
    }

    /// Sends the news to the event stream of the parent's devices, and orders a
    /// message by e-mail.
    private static func send(_ request: DeviceRequest, to parent: Account, _ db: StoreTransaction) throws {
        _ = try AccountEvent.append(
            .childRequest, account: parent.identifier, bundleIdentifier: "",
            transactionIdentifier: request.transactionIdentifier ?? "", changesReceipt: false, db)
        try ChildMessage.order(for: request, to: parent, db)
    }
}
