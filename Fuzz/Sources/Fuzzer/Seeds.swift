// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AppReceipts

/// Writes an initial corpus for each target: one input of each form that a
/// store writes, signed by a temporary authority.
func writeSeeds(into folder: URL) throws {
    var random = SystemRandomNumberGenerator()
    let seeds = Seeds(authority: try SigningAuthority.create(using: &random))
    for target in Target.allCases {
        let place = folder.appendingPathComponent(target.rawValue, isDirectory: true)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (number, seed) in try seeds.of(target).enumerated() {
            try seed.write(to: place.appendingPathComponent("seed-\(number)"))
        }
    }
}

private struct Seeds {
    let authority: SigningAuthority
    private let now = Date(timeIntervalSince1970: 1_767_323_045)

    init(authority: SigningAuthority) {
        self.authority = authority
    }

    func of(_ target: Target) throws -> [Data] {
        switch target {
        case .appReceipt: try appReceipts()
        case .receiptContents: try appReceipts().map { Data(try UnverifiedAppReceipt(parsing: $0).signedData.content.content) }
        case .transactionReceipt: try transactionReceipts()
        case .jws: try jws()
        case .ocspRequest: [Data(Self.ocspRequest)]
        case .base64: ["", "AAECAwQFBgcICQ==", "-_8", "AAECAwQFBgcICQ=\r\n=", "QQ"].map { Data($0.utf8) }
        case .propertyList: try transactionReceipts() + [Data(#"{ "a" = "\"\\\n"; b = c; }"#.utf8), Data("{}".utf8)]
        case .json:
            [
                #"{"a":[1.5e3,true,null,"\u00e9\n"],"b":{}}"#, #"[[[[]]],"\ud83c\udf4e",-0.0E+1,false]"#,
                #" { "a" : 9223372036854775808 } "#,
            ].map { Data($0.utf8) }
        case .message: try MessageSeeds.messages
        case .event: try MessageSeeds.events
        case .form: MessageSeeds.forms.map { Data($0.utf8) }
        case .credentials: MessageSeeds.credentials.map { Data($0.utf8) }
        }
    }

    private func appReceipts() throws -> [Data] {
        let plain = InAppPurchase(
            productIdentifier: "com.example.fruit.apple", transactionIdentifier: "2000000001", purchaseDate: now,
            productType: .nonConsumable)
        let subscription = InAppPurchase(
            productIdentifier: "com.example.fruit.juice", transactionIdentifier: "2000000002", purchaseDate: now,
            productType: .autoRenewable, subscriptionExpirationDate: now.addingTimeInterval(86_400),
            cancellationDate: now, webOrderLineItemIdentifier: 7, isTrialPeriod: true,
            promotionalOfferIdentifier: "loyal", unknownAttributes: [UnknownAttribute(type: 1799, value: Data([5, 0]))])
        return try [[], [plain], [plain, subscription]].map { purchases in
            var receipt = AppReceipt(
                environment: .sandbox, bundleIdentifier: "com.example.fruit", applicationVersion: "1.0",
                opaqueValue: Data([1, 2, 3, 4]), deviceHash: Data(count: 20), creationDate: now,
                inAppPurchases: purchases)
            if !purchases.isEmpty {
                receipt.expirationDate = now
                receipt.appIdentifier = 1_234_567_890
                receipt.unknownAttributes = [UnknownAttribute(type: 8, value: Data([0x16, 0x00]))]
            }
            return try authority.sign(receipt)
        }
    }

    private func transactionReceipts() throws -> [Data] {
        var receipt = TransactionReceipt(
            bundleIdentifier: "com.example.fruit", bundleVersion: "1.0", productIdentifier: "com.example.fruit.apple",
            transactionIdentifier: "2000000001", purchaseDate: now)
        let sandbox = try authority.sign(receipt)
        receipt.environment = .production
        receipt.appItemIdentifier = "1234567890"
        receipt.expirationDate = now
        receipt.unknownEntries = ["unique-identifier": "ab"]
        return [sandbox, try authority.sign(receipt)]
    }

    private func jws() throws -> [Data] {
        var transaction = TransactionPayload()
        transaction.transactionId = "2000000001"
        transaction.price = 990
        transaction.signedDate = now
        transaction.members["new"] = .array([.null, .number("1e9"), .object(["a": .bool(true)])])
        var renewal = RenewalInfoPayload()
        renewal.autoRenewStatus = 1
        renewal.signedDate = now
        var notification = NotificationPayload()
        notification.notificationType = "TEST"
        notification.signedDate = now
        return [
            Data(try authority.sign(transaction).utf8), Data(try authority.sign(renewal).utf8),
            Data(try authority.sign(notification).utf8),
        ]
    }

    /// SHA-1, hashes of zeros, the serial number 1.
    private static let ocspRequest: [UInt8] =
        [0x30, 0x42, 0x30, 0x40, 0x30, 0x3E, 0x30, 0x3C, 0x30, 0x3A, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02]
        + [0x1A, 0x05, 0x00, 0x04, 0x14] + [UInt8](repeating: 0, count: 20) + [0x04, 0x14]
        + [UInt8](repeating: 0, count: 20) + [0x02, 0x01, 0x01]
}
