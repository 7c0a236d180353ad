// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks receipts with requests to the store's `/verifyReceipt`.
///
/// The store adds to the receipt: the answer also has the renewals and refunds
/// since it was issued. Each check needs the store, which may be unreachable.
struct ReceiptsAtStore: ReceiptChecking {
    let address: URL
    let bundleIdentifier: String
    /// The app's shared secret, without which the store refuses receipts of
    /// an app that has one.
    var secret: String?

    func check(_ receipt: Data) async throws -> [Purchase] {
        let bytes = try await answer(about: receipt)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        switch try? decoder.decode(Status.self, from: bytes).status {
        case 0: break
        // Unreadable, not authentic, of another environment, of a closed account.
        case 21002, 21003, 21007, 21008, 21010: throw Refusal.invalidReceipt
        case let status:
            // 21004 is a wrong shared secret: the seller can mend it, the customer can't.
            let reason = status.map(String.init) ?? "an answer that can't be read"
            FileHandle.standardError.write(Data("FlowerGardenServer: /verifyReceipt: \(reason)\n".utf8))
            throw Refusal.busy
        }
        guard let answer = try? decoder.decode(Answer.self, from: bytes) else { throw Refusal.busy }
        // The store checks receipts of all its apps.
        guard answer.receipt.bundleId == bundleIdentifier else { throw Refusal.invalidReceipt }
        return (answer.receipt.inApp + (answer.latestReceiptInfo ?? [])).map(\.purchase)
    }

    private func answer(about receipt: Data) async throws -> Data {
        var question = ["receipt-data": receipt.base64EncodedString()]
        question["password"] = secret
        var request = URLRequest(url: address, timeoutInterval: 30)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(question)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        guard let (data, response) = try? await URLSession.shared.data(for: request),
            (response as? HTTPURLResponse)?.statusCode == 200
        else { throw Refusal.busy }
        return data
    }
}

/// The field of every answer. With another status than 0, the rest may be absent or of another form.
private struct Status: Decodable {
    var status: Int
}

/// The fields of an answer with status 0 that the garden reads.
private struct Answer: Decodable {
    struct Receipt: Decodable {
        var bundleId: String
        var inApp: [Entry]
    }

    /// A purchase. All of its fields are strings.
    struct Entry: Decodable {
        var productId: String
        var transactionId: String
        var originalTransactionId: String
        var quantity: String
        var purchaseDateMs: String?
        var expiresDateMs: String?
        var cancellationDateMs: String?

        var purchase: Purchase {
            Purchase(
                product: productId, transaction: transactionId, original: originalTransactionId,
                quantity: Int(quantity) ?? 1, bought: Self.date(purchaseDateMs), expires: Self.date(expiresDateMs),
                refunded: Self.date(cancellationDateMs))
        }

        private static func date(_ milliseconds: String?) -> Date? {
            milliseconds.flatMap(Double.init).map { Date(timeIntervalSince1970: $0 / 1000) }
        }
    }

    var receipt: Receipt
    var latestReceiptInfo: [Entry]?
}
