// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AppReceipts

/// A parser that is fuzzed, with the check of each input that it accepts.
enum Target: String, CaseIterable {
    case appReceipt = "app-receipt"
    case receiptContents = "receipt-contents"
    case transactionReceipt = "transaction-receipt"
    case jws
    case ocspRequest = "ocsp-request"
    case base64
    case propertyList = "property-list"
    case json
    case message
    case event
    case form
    case credentials

    /// Runs one input. A crash, a hang, too much memory or a failed
    /// precondition is a finding.
    func run(_ bytes: [UInt8]) {
        switch self {
        case .appReceipt: appReceipt(Data(bytes))
        case .receiptContents: receiptContents(bytes)
        case .transactionReceipt: transactionReceipt(Data(bytes))
        case .jws: jws(String(decoding: bytes, as: UTF8.self))
        case .ocspRequest: _ = try? OCSPRequest(parsing: bytes)
        case .base64:
            for alphabet in [Base64.standard, .url] {
                guard let decoded = alphabet.decode(bytes) else { continue }
                precondition(alphabet.encode(decoded) == bytes, "a second text for the same bytes")
            }
        case .propertyList:
            guard let list = try? StringPropertyList(parsing: bytes) else { return }
            let again = try? StringPropertyList(parsing: list.encoded)
            precondition(again == list, "written and read again, the list is another one")
        case .json:
            guard let value = try? JSONValue(parsing: bytes) else { return }
            let again = try? JSONValue(parsing: value.encodedBytes)
            precondition(again == value, "written and read again, the value is another one")
        case .message: MessageCheck.run(bytes)
        case .event: checkEvent(bytes)
        case .form: checkForm(String(decoding: bytes, as: UTF8.self))
        case .credentials: checkCredentials(String(decoding: bytes, as: UTF8.self))
        }
    }

    private func appReceipt(_ bytes: Data) {
        guard let receipt = try? UnverifiedAppReceipt(parsing: bytes) else { return }
        // Contents that can be encoded have as many purchases when decoded
        // again.
        if let payload = try? receipt.contents.encodedPayload() {
            let again = try? AppReceipt(payload: payload[...])
            precondition(again?.inAppPurchases.count == receipt.contents.inAppPurchases.count, "purchases are lost")
        }
        for profile in [VerificationProfile.strict, .lenient] {
            let verdict = AppReceiptVerifier(roots: [], profile: profile).verify(receipt, expecting: .any)
            guard case .refused = verdict else { preconditionFailure("a receipt verified without a trusted root") }
        }
    }

    private func receiptContents(_ bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        guard let contents = try? AppReceipt(reading: &reader), (try? reader.finish()) != nil else { return }
        let again = try? contents.encodedPayload()
        precondition(reader.isCanonical == (again == bytes), "encoded again, it is another one or the same")
    }

    private func transactionReceipt(_ bytes: Data) {
        guard let receipt = try? UnverifiedTransactionReceipt(parsing: bytes) else { return }
        for profile in [VerificationProfile.strict, .lenient] {
            let verifier = TransactionReceiptVerifier(roots: [], intermediates: [], profile: profile)
            guard case .refused = verifier.verify(receipt) else {
                preconditionFailure("a receipt verified without a trusted root")
            }
        }
    }

    private func jws(_ text: String) {
        guard let jws = try? UnverifiedJWS<TransactionPayload>(parsing: text) else { return }
        for profile in [VerificationProfile.strict, .lenient] {
            guard case .refused = JWSVerifier(roots: [], profile: profile).verify(jws, expecting: .any) else {
                preconditionFailure("a JWS verified without a trusted root")
            }
        }
    }
}
