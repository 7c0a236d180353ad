// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AppReceipts

/// Writes a corpus for each target, signed by an authority that is thrown
/// away.
func writeSeeds(into folder: URL) throws {
    var random = SystemRandomNumberGenerator()
    let authority = try SigningAuthority.create(using: &random)
    let now = Date(timeIntervalSince1970: 1_767_323_045)
    let purchase = InAppPurchase(
        productIdentifier: "com.example.fruit.apple", transactionIdentifier: "2000000001", purchaseDate: now,
        productType: .autoRenewable, subscriptionExpirationDate: now.addingTimeInterval(86_400),
        webOrderLineItemIdentifier: 7, isTrialPeriod: true)
    let receipt = AppReceipt(
        environment: .sandbox, bundleIdentifier: "com.example.fruit", applicationVersion: "1.0",
        opaqueValue: Data([1, 2, 3, 4]), deviceHash: Data(count: 20), creationDate: now, inAppPurchases: [purchase],
        expirationDate: now, unknownAttributes: [UnknownAttribute(type: 8, value: Data([0x16, 0x00]))])
    let transaction = TransactionReceipt(
        bundleIdentifier: "com.example.fruit", bundleVersion: "1.0", productIdentifier: "com.example.fruit.apple",
        transactionIdentifier: "2000000001", purchaseDate: now)
    var payload = TransactionPayload()
    payload.transactionId = "2000000001"
    payload.signedDate = now
    let signed = try authority.sign(transaction)
    // SHA-1, hashes of zeros, the number 1.
    let question: [UInt8] =
        [0x30, 0x42, 0x30, 0x40, 0x30, 0x3E, 0x30, 0x3C, 0x30, 0x3A, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02]
        + [0x1A, 0x05, 0x00, 0x04, 0x14] + [UInt8](repeating: 0, count: 20) + [0x04, 0x14]
        + [UInt8](repeating: 0, count: 20) + [0x02, 0x01, 0x01]
    let seeds: [(Target, Data)] = [
        (.appReceipt, try authority.sign(receipt)), (.transactionReceipt, signed),
        (.jws, Data(try authority.sign(payload).utf8)), (.ocspRequest, Data(question)),
        (.base64, Data("AAECAwQFBgcICQ==".utf8)), (.propertyList, signed),
        (.json, Data(#"{"a":[1.5e3,true,null,"\u00e9\n"],"b":{}}"#.utf8)),
    ]
    for (target, seed) in seeds {
        let place = folder.appendingPathComponent(target.rawValue, isDirectory: true)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try seed.write(to: place.appendingPathComponent("seed"))
    }
}
