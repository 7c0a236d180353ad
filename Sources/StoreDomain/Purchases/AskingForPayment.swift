// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Takes a payment request from a device: step 3 of a purchase's life. A
/// request that is repeated with the same identifier gets the recorded
/// answer.
package struct AskingForPayment: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A recorded payment request, with the values that the device receives.
    package struct RecordedRequest: Sendable {
        /// The request as it is recorded now.
        package var request: DeviceRequest
        /// The token of the sheet, while the customer has to decide.
        package var sheet: String?
        /// The unfinished transaction of a purchase that is made.
        package var entry: UnfinishedTransaction?
        /// Whether the purchase was made by an account that isn't signed in
        /// on the device now. It is delivered when that account is signed in
        /// again.
        package var isForAnotherAccount = false
    }

    /// Records the request, or looks up its answer. A request that the app
    /// has `withdrawn` fails unless it is decided already.
    ///
    /// - Throws: ``DomainError``: `requestMismatch` when the identifier was
    ///   used for another request, `invalid` for a malformed identifier or a
    ///   user name that is too long.
    package func callAsFunction(_ asked: DeviceRequest, withdrawn: Bool = false) async throws -> RecordedRequest {
        guard (asked.applicationUsername?.utf8.count ?? 0) <= 1000 else {
            throw DomainError(.invalid, "applicationUsername has at most 1000 bytes.")
        }
        let token = random.hexadecimal(bytes: 32)
        let serial = context.newTransactionSerial()
        return try await write(for: asked.device) { db in
            if let request = try DeviceRequest.hold(asked.identifier, of: asked.device, db) {
                guard request.asksForTheSame(as: asked) else {
                    throw asked.mismatch
                }
                if withdrawn { return try Self.withdraw(request, db) }
                return try Self.recorded(request, db)
            }
            // The row of an answered request is deleted after a time. Its
            // purchase still answers it, so that it never buys twice.
            if let purchase = try Purchase.find(request: asked.identifier, of: asked.device, db) {
                let request = DeviceRequest(answeredBy: purchase, device: asked.device, identifier: asked.identifier)
                guard request.asksForTheSame(as: asked) else {
                    throw asked.mismatch
                }
                return try Self.recorded(request, db)
            }
            try asked.check()
            return try Self.record(asked, withdrawn: withdrawn, token: token, serial: serial, db)
        }
    }

    /// Records a new request: it fails, waits for an approval, or gets a
    /// sheet.
    private static func record(
        _ asked: DeviceRequest, withdrawn: Bool, token: String, serial: TransactionSerial, _ db: StoreTransaction
    ) throws -> RecordedRequest {
        var request = asked
        request.simulatesAskToBuy = asked.simulatesAskToBuy && db.environment == .sandbox
        let product = try Catalogue.product(request.productIdentifier ?? "", of: request.bundleIdentifier, db)
        let account = try Device.signedInAccount(on: request.device, db)
        let refusal =
            try request.refusal(product: product) ?? Self.refusal(of: request, product, account)
            ?? Self.refusal(ofDiscountIn: request, product, account, db)
        if let refusal = withdrawn ? .withdrawn : refusal {
            request.fail(refusal)
            try request.insert(db)
            return RecordedRequest(request: request)
        }
        // The account is locked: closing it, which fails undecided requests, and
        // a purchase of the product, which answers them, either commit before
        // this transaction reads or find the request.
        if let account, let product, request.needsApproval(of: account), try Account.hold(account.identifier, db),
            try Reservation.find(account: account.identifier, product: product, db)?.transactionIdentifier == nil
        {
            // A request for an approval charges no money, so it needs no
            // sheet.
            request.deferred(
                for: account, as: serial.identifier(for: account.identifier), at: db.now,
                limit: db.askToBuyLimit)
            try request.insert(db)
            try ParentNotice.note(request, db)
            return RecordedRequest(request: request)
        }
        try request.insert(db)
        let sheet = Sheet(token: token, device: request.device, requestIdentifier: request.identifier, now: db.now)
        try sheet.insert(db)
        return RecordedRequest(request: request, sheet: token)
    }

    private static func refusal(
        of request: DeviceRequest, _ product: Product?, _ account: Account?
    ) -> PurchaseFailure? {
        guard let product, let account else { return nil }
        return request.refusal(product: product, account: account)
    }

    /// Refuses an offer whose signature isn't valid, and one that the account
    /// signed in on the device isn't entitled to.
    private static func refusal(
        ofDiscountIn request: DeviceRequest, _ product: Product?, _ account: Account?, _ db: StoreTransaction
    ) throws -> PurchaseFailure? {
        guard let product, let discount = request.discount else { return nil }
        let isGranted = discount.isUnsigned == true && db.environment == .sandbox
        if discount.kind != .winBack, !isGranted,
            let refusal = try VerifyingDiscount.refusal(of: discount, request, product, db)
        {
            return refusal
        }
        return try account.flatMap { try discount.refusal(for: $0, product, db) }
    }

    /// Fails the request, which the app doesn't continue after a change of
    /// the storefront.
    private static func withdraw(_ request: DeviceRequest, _ db: StoreTransaction) throws -> RecordedRequest {
        var request = request
        guard request.status == .open || request.status == .deferred,
            try request.move(from: request.status, to: .failed, db)
        else {
            let decided = try DeviceRequest.find(request.identifier, of: request.device, db)
            return try recorded(decided ?? request, db)
        }
        if let sheet = try Sheet.find(for: request, db) {
            _ = try sheet.move(from: .open, to: .cancelled, db)
        }
        request.fail(.withdrawn)
        try request.update(db)
        return RecordedRequest(request: request)
    }

    static func recorded(_ request: DeviceRequest, _ db: StoreTransaction) throws -> RecordedRequest {
        if request.status == .open, let sheet = try Sheet.find(for: request, db) {
            if let expired = try ExpiringSheets.expire(sheet, request, db) {
                return RecordedRequest(request: expired)
            }
            return RecordedRequest(request: request, sheet: sheet.token)
        }
        if request.status == .done, let transaction = request.transactionIdentifier {
            // A finished transaction isn't delivered again.
            let entry = try UnfinishedTransaction.find(transaction, on: request.device, of: request.account, db)
            let account = try Device.signedInAccount(on: request.device, db)
            guard let entry, entry.purchase.account != account?.identifier else {
                return RecordedRequest(request: request, entry: entry)
            }
            // No customer can sign in to a closed account to receive the
            // purchase.
            guard try Account.findOpen(entry.purchase.account, db) != nil else {
                return RecordedRequest(request: request)
            }
            return RecordedRequest(request: request, isForAnotherAccount: true)
        }
        return RecordedRequest(request: request)
    }
}
