// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// Every field of every message is refused outside of its limits, with the
/// field's name, and ends no process (finding 1 of the hardening).
struct FieldLimitTests {
    /// A valid message for each path, with every field set.
    static let samples: [StorePath: any StoreCall] = {
        let bundle = TestStore.bundleIdentifier
        let position = EventPosition(account: "a", number: 1)
        let calls: [any StoreCall] = [
            RegisterCall(),
            ProductsCall(bundleIdentifier: bundle, productIdentifiers: ["apple"], languages: ["en_US"]),
            PaymentCall(
                requestIdentifier: "r", bundleIdentifier: bundle, productIdentifier: "apple", quantity: 1,
                applicationUsername: "user", simulatesAskToBuy: true,
                discount: DiscountInfo(
                    identifier: "offer", keyIdentifier: "key", nonce: "nonce", signature: "MEU=", timestamp: 1,
                    token: "e30.e30.AA"),
                winBackOffer: "back", introductoryOfferEligibility: "e30.e30.AA",
                acceptsRunning: true, isWithdrawn: true),
            FinishCall(bundleIdentifier: bundle, transactionIdentifier: "2000"),
            RestoreCall(requestIdentifier: "s", bundleIdentifier: bundle, page: 0),
            ReceiptCall(
                requestIdentifier: "t", bundleIdentifier: bundle, applicationVersion: "1", mayAskToSignIn: true,
                properties: ReceiptProperties(isExpired: true, isRevoked: true, isVolumePurchase: true)),
            TransactionReceiptsCall(bundleIdentifier: bundle, applicationVersion: "1", transactions: ["2000"]),
            SignedTransactionsCall(
                bundleIdentifier: bundle, applicationVersion: "1", account: "a", after: "1_2000"),
            QueueCall(bundleIdentifier: bundle, position: position, takesPages: true, after: position, until: position),
            SignOutCall(requestIdentifier: "o"),
            KeyValuesCall(
                bundleIdentifier: bundle, writes: [KeyValueWrite(key: "k", value: "AAAA", sequence: 1)],
                position: position),
            ContentCall(transaction: "2000", version: "1.0"),
            RedemptionCall(requestIdentifier: "c", bundleIdentifier: bundle),
            PriceConsentCall(requestIdentifier: "p", bundleIdentifier: bundle),
            ItemCall(item: 1001),
            AccountPageCall(bundleIdentifier: bundle, page: .refund, transactionIdentifier: "2000"),
        ]
        return Dictionary(uniqueKeysWithValues: calls.map { (type(of: $0).path, $0) })
    }()

    private static let numbers = [
        "-1", "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "9223372036854775808",
        "9007199254740992", "-9007199254740992", "1e400", "-1e400", "1.5", "1e18", "18446744073709551616",
    ]

    @Test("The samples contain each message with every field set")
    func thereIsASampleOfEachMessageWithEveryFieldSet() throws {
        #expect(Set(Self.samples.keys) == Set(StorePath.all))
        for (path, call) in Self.samples {
            let fields = Self.leaves(try Self.json(call))
            #expect(Self.unsetFields(of: call).isEmpty, "\(path.rawValue)")
            #expect(path == .register || !fields.isEmpty, "\(path.rawValue)")
        }
    }

    @Test("Numbers at every limit get a 4xx or are allowed", arguments: StorePath.all)
    func numbers(path: StorePath) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let device = try await store.addDevice()
            let sample = try Self.json(try #require(Self.samples[path]))
            for field in Self.leaves(sample) {
                for number in Self.numbers {
                    let body = try Self.replacing(field, by: number, in: sample)
                    let response = try await client.post("/device/v1/\(path.rawValue)", body, headers: device.headers)
                    #expect(response.status.code < 500, "\(field) = \(number): \(response.text)")
                }
            }
        }
    }

    @Test("Every text and list has a length", arguments: StorePath.all)
    func lengths(path: StorePath) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let device = try await store.addDevice()
            let sample = try Self.json(try #require(Self.samples[path]))
            let long = String(repeating: "x", count: 300_000)
            for field in Self.leaves(sample) where try Self.value(field, in: sample) is String {
                // A value of the key-value store may be that long.
                if field == ["writes", "0", "value"] { continue }
                let body = try Self.replacing(field, by: "\"\(long)\"", in: sample)
                let response = try await client.post("/device/v1/\(path.rawValue)", body, headers: device.headers)
                #expect(response.status == .badRequest, "\(field): \(response.text.prefix(200))")
                #expect(response.code == "invalid" && response.text.contains(field[0]), "\(field): \(response.text)")
            }
            for field in Self.lists(sample) {
                let list = "[\(Array(repeating: "\"x\"", count: 3000).joined(separator: ","))]"
                let body = try Self.replacing(field, by: list, in: sample)
                let response = try await client.post("/device/v1/\(path.rawValue)", body, headers: device.headers)
                #expect(response.status == .badRequest, "\(field): \(response.text.prefix(200))")
            }
        }
    }

    @Test(
        "An event number outside of its range is refused as invalid",
        arguments: ["-1", "-9223372036854775808", "-9223372036854775807", "9223372036854775807", "\"x\""])
    func anEventNumberOutsideOfItsRangeIsRefused(number: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            try await device.buy("apple", request: "r", as: anna)

            for field in [
                "\"newsNumber\":\(number)", "\"position\":{\"account\":\"\(anna.identifier)\",\"number\":\(number)}",
            ] {
                let response = try await client.post(
                    "/device/v1/events",
                    "{\"apps\":[{\"bundleIdentifier\":\"\(TestStore.bundleIdentifier)\",\(field)}]}",
                    headers: device.headers)

                #expect(response.status == .badRequest, "\(response.text)")
                #expect(["invalid", "malformed"].contains(response.code), "\(response.text)")
                #expect(response.text.contains("apps.0."), "\(response.text)")
            }
        }
    }

    @Test(
        "A shown price that can't be read is refused, and nothing is paid",
        arguments: ["9223372036854775808 USD", "-1 USD", "1e400 USD", "990", "990 USD EUR", "990 DOLLARS", "USD 990"])
    func aPriceThatNoPageHasShownIsRefusedNotIgnored(shown: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)

            let response = try await client.post(
                "/sheet/\(sheet)",
                "email=\(anna.email)&password=correct+horse&decision=buy&shown=\(shown.replacing(" ", with: "+"))",
                headers: .script)

            #expect(response.status == .badRequest && response.code == "invalid", "\(response.text)")
            #expect(try await store.count("payment") == 0)
        }
    }
}

extension FieldLimitTests {
    /// The path of a value in a message: field names and element indices.
    typealias Field = [String]

    private static func json(_ call: any StoreCall) throws -> Any {
        try JSONSerialization.jsonObject(with: StoreCoding.encode(call))
    }

    private static func leaves(_ value: Any, at field: Field = []) -> [Field] {
        switch value {
        case let object as [String: Any]:
            object.keys.sorted().flatMap { leaves(object[$0] ?? NSNull(), at: field + [$0]) }
        case let list as [Any]:
            list.indices.flatMap { leaves(list[$0], at: field + [String($0)]) }
        default: [field]
        }
    }

    private static func lists(_ value: Any, at field: Field = []) -> [Field] {
        switch value {
        case let object as [String: Any]:
            object.keys.sorted().flatMap { lists(object[$0] ?? NSNull(), at: field + [$0]) }
        case is [Any]: [field]
        default: []
        }
    }

    private static func value(_ field: Field, in message: Any) throws -> Any? {
        try field.reduce(message) { value, name in
            if let list = value as? [Any] { return try list[#require(Int(name))] }
            return try #require((value as? [String: Any])?[name])
        }
    }

    /// The message's text with another value in one place.
    private static func replacing(_ field: Field, by text: String, in message: Any) throws -> String {
        guard let name = field.first else { return text }
        if let object = message as? [String: Any] {
            let members = try object.map { key, value in
                "\"\(key)\":\(try key == name ? replacing(Array(field.dropFirst()), by: text, in: value) : plain(value))"
            }
            return "{\(members.joined(separator: ","))}"
        }
        let list = try #require(message as? [Any])
        let elements = try list.enumerated().map { place, value in
            try String(place) == name ? replacing(Array(field.dropFirst()), by: text, in: value) : plain(value)
        }
        return "[\(elements.joined(separator: ","))]"
    }

    private static func plain(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed), as: UTF8.self)
    }

    /// Fields that are `nil` or empty lists: nothing is tried there.
    private static func unsetFields(of value: Any, at field: Field = []) -> [Field] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first else { return [field] }
            return unsetFields(of: wrapped.value, at: field)
        }
        if mirror.displayStyle == .collection, mirror.children.isEmpty { return [field] }
        guard mirror.displayStyle == .struct || mirror.displayStyle == .collection else { return [] }
        return mirror.children.flatMap { unsetFields(of: $0.value, at: field + [$0.label ?? "0"]) }
    }
}
