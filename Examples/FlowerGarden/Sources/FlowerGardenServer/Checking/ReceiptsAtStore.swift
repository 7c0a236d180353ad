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

    func check(_ receipt: Data) async throws -> CheckedReceipt {
        let answer = try await answer(about: receipt)
        switch answer.status {
        case 0: break
        // Unreadable, not authentic, of another environment, of a closed account.
        case 21002, 21003, 21007, 21008, 21010: throw Refusal.invalidReceipt
        default:
            // 21004 is a wrong shared secret: the seller can mend it, the customer can't.
            FileHandle.standardError.write(Data("FlowerGardenServer: /verifyReceipt: \(answer.status)\n".utf8))
            throw Refusal.busy
        }
        // The store checks receipts of all its apps.
        guard answer.receipt?.bundleIdentifier == bundleIdentifier else { throw Refusal.invalidReceipt }
        let entries = (answer.receipt?.purchases ?? []) + answer.latest
        return CheckedReceipt(purchases: entries.map(\.purchase))
    }

    private struct Question: Encodable {
        var receipt: String
        var password: String?

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
        }
    }

    private func answer(about receipt: Data) async throws -> Answer {
        var request = URLRequest(url: address, timeoutInterval: 30)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(
            Question(receipt: receipt.base64EncodedString(), password: secret))
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        guard let (data, response) = try? await URLSession.shared.data(for: request),
            (response as? HTTPURLResponse)?.statusCode == 200,
            let answer = try? JSONDecoder().decode(Answer.self, from: data)
        else { throw Refusal.busy }
        return answer
    }
}

/// The fields of the store's answer that the garden reads.
private struct Answer: Decodable {
    struct Receipt: Decodable {
        var bundleIdentifier: String?
        var purchases: [Entry]?

        enum CodingKeys: String, CodingKey {
            case bundleIdentifier = "bundle_id"
            case purchases = "in_app"
        }
    }

    /// A purchase. All of its fields are strings.
    struct Entry: Decodable {
        var product: String
        var transaction: String
        var original: String
        var quantity: String
        var expires: String?
        var refunded: String?

        enum CodingKeys: String, CodingKey {
            case product = "product_id"
            case transaction = "transaction_id"
            case original = "original_transaction_id"
            case quantity
            case expires = "expires_date_ms"
            case refunded = "cancellation_date_ms"
        }

        var purchase: CheckedReceipt.Purchase {
            CheckedReceipt.Purchase(
                product: product, transaction: transaction, original: original, quantity: Int(quantity) ?? 1,
                expires: Self.date(expires), refunded: Self.date(refunded))
        }

        private static func date(_ milliseconds: String?) -> Date? {
            milliseconds.flatMap(Double.init).map { Date(timeIntervalSince1970: $0 / 1000) }
        }
    }

    var status: Int
    var receipt: Receipt?
    var latest: [Entry]

    enum CodingKeys: String, CodingKey {
        case status, receipt
        case latest = "latest_receipt_info"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        // With another status than 0, the rest may be absent or of another form.
        receipt = status == 0 ? try container.decodeIfPresent(Receipt.self, forKey: .receipt) : nil
        latest = status == 0 ? try container.decodeIfPresent([Entry].self, forKey: .latest) ?? [] : []
    }
}
