// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ChildMessage {
    /// The values of an order; `nil` when the request was answered meanwhile,
    /// and when the recipient can't answer it.
    init?(_ order: MailOrder, _ db: StoreTransaction) throws {
        guard let asking = order.account, let transaction = order.transaction,
            let parent = try Account.find(email: order.recipient, db),
            let family = try Family.of(asking, db), family.mayDecide(parent.identifier, about: asking),
            let child = family.member(asking),
            let waiting = try DeviceRequest.deferred(of: asking, db)
                .first(where: { $0.transactionIdentifier == transaction }),
            let request = try ListingChildRequests.request(waiting, of: child, for: parent.identifier, db)
        else { return nil }
        let languages = LanguagePreference([parent.language], in: parent.storefront)
        let name =
            request.product.flatMap { languages.best(of: $0.localizations)?.title }
            ?? request.productIdentifier.rawValue
        self.init(
            parent: parent, child: child.email,
            product: request.quantity == 1 ? name : "\(request.quantity) × \(name)", app: request.app.name,
            outcome: request.outcome)
    }

    /// Orders a message to a parent, whose child's request waits for an
    /// approval. A parent gets no more than some messages at a time; the request
    /// is on the family's page nevertheless.
    static func order(for request: DeviceRequest, to parent: Account, _ db: StoreTransaction) throws {
        guard db.sendsMail, let child = request.account, let transaction = request.transactionIdentifier,
            try !MailOrder.isFull(db)
        else { return }
        var throttle = try SignInThrottle.hold(.requests(to: parent.identifier), db)
        guard throttle.wait(now: db.now) == nil else { return }
        throttle.count(now: db.now)
        try throttle.save(db)
        try MailOrder(
            identifier: "\(transaction)-\(parent.identifier)", kind: .childAsks, recipient: parent.email,
            account: child, transaction: transaction, due: db.now
        ).insert(db)
    }
}
