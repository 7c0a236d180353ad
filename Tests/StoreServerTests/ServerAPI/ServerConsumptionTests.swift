// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// The consumption information of the App Store Server API, beside customers'
/// requests for refunds.
@Suite(.timeLimit(.hang))
struct ServerConsumptionTests {
    /// The fields of version 1, as JSON texts.
    private static let first = [
        "customerConsented": "true", "consumptionStatus": "3", "platform": "2", "sampleContentProvided": "false",
        "deliveryStatus": "0", "appAccountToken": "\"\"", "accountTenure": "7", "playTime": "6",
        "lifetimeDollarsRefunded": "1", "lifetimeDollarsPurchased": "5", "userStatus": "4", "refundPreference": "2",
    ]
    /// The fields of version 2, as JSON texts.
    private static let second = [
        "customerConsented": "true", "deliveryStatus": "\"UNDELIVERED_OTHER\"", "sampleContentProvided": "true",
        "consumptionPercentage": "0", "refundPreference": "\"GRANT_PRORATED\"",
    ]

    private func body(_ fields: [String: String], _ name: String = "", _ value: String = "") -> String {
        var fields = fields
        if !name.isEmpty { fields[name] = value.isEmpty ? nil : value }
        return "{\(fields.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))}"
    }

    private func ask(_ store: TestStore, _ bought: String, _ anna: Account) async throws -> RefundRequest {
        try await AskingForRefund(store.context)(
            TransactionIdentifier(bought), of: anna.identifier, because: .other, comment: nil)
    }

    private func waiting(_ store: TestStore) async throws -> Consumption? {
        try await DecidingRefund(store.context).waiting(after: nil).first?.consumption
    }

    @Test("The information is beside the request for a refund, the newest one only", arguments: Engine.servers)
    func saved(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let juice = try await phone.buy("juice", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let (old, new) = ("v1/transactions/consumption/\(juice)", "v2/transactions/consumption/\(juice)")

            // Without a request there is no decision that it serves.
            #expect(try await seller.done(new, .put, body(Self.second)) == 202)
            let asked = try await ask(store, juice, anna)
            #expect(try await waiting(store) == nil)

            #expect(try await seller.done(old, .put, body(Self.first)) == 202)
            let first = try #require(try await waiting(store))
            #expect(first.version == 1 && first.fields["playTime"] == "6" && first.fields["appAccountToken"] == nil)
            #expect(try await seller.done(new, .put, body(Self.second)) == 202)
            #expect(
                try await waiting(store)
                    == Consumption(
                        version: 2,
                        fields: [
                            "customerConsented": "true", "deliveryStatus": "UNDELIVERED_OTHER",
                            "sampleContentProvided": "true", "consumptionPercentage": "0",
                            "refundPreference": "GRANT_PRORATED",
                        ]))

            _ = try await DecidingRefund(store.context).decline(asked.identifier)
            #expect(try await seller.done(old, .put, body(Self.first)) == 202)
            #expect(try await store.count("refund_request", where: "consumption LIKE '%UNDELIVERED%'") == 1)
            try await ClosingAccount(store.context)(email: anna.email)
            #expect(try await store.count("refund_request", where: "consumption IS NULL") == 1)
            #expect(try await seller.refusal(new, .put, body(Self.second)) == "404 4040010")
        }
    }

    @Test("The information is in the list of the remote control", arguments: Engine.servers)
    func listed(engine: Engine) async throws {
        try await engine.withControl { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let juice = try await phone.buy("juice", request: "r", as: anna).transactionIdentifier
            _ = try await ask(store, juice, anna)
            let seller = try await ServerSeller(store, client)
            _ = try await seller.done("v2/transactions/consumption/\(juice)", .put, body(Self.second))

            let answer = try await client.post("/control/v1/refund-requests", "{}", headers: .control).object()
            let request = try #require((answer["requests"] as? [[String: Any]])?.first)
            let consumption = try #require(request["consumption"] as? [String: String])
            #expect(consumption["consumptionPercentage"] == "0")
        }
    }

    @Test("Each wrong field has Apple's number", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let juice = try await phone.buy("juice", request: "r", as: anna).transactionIdentifier
            let apple = try await phone.buy("apple", request: "a", as: anna).transactionIdentifier
            _ = try await ask(store, juice, anna)
            let seller = try await ServerSeller(store, client)
            let (old, new) = ("v1/transactions/consumption/\(juice)", "v2/transactions/consumption/\(juice)")
            for (name, code) in [
                ("accountTenure", 4_000_032), ("appAccountToken", 4_000_033), ("consumptionStatus", 4_000_034),
                ("customerConsented", 4_000_035), ("deliveryStatus", 4_000_036),
                ("lifetimeDollarsPurchased", 4_000_037), ("lifetimeDollarsRefunded", 4_000_038),
                ("platform", 4_000_039), ("playTime", 4_000_040), ("sampleContentProvided", 4_000_041),
                ("userStatus", 4_000_042), ("refundPreference", 4_000_044),
            ] {
                for value in ["8", "-1", "\"x\"", "null"] where value != "null" || name != "refundPreference" {
                    let refused = try await seller.refusal(old, .put, body(Self.first, name, value))
                    #expect(refused == "400 \(code)", "\(name) \(value)")
                }
            }
            for (name, value, code) in [
                ("customerConsented", "false", 4_000_035), ("customerConsented", "", 4_000_035),
                ("deliveryStatus", "\"LOST\"", 4_000_036), ("deliveryStatus", "0", 4_000_036),
                ("deliveryStatus", "", 4_000_036), ("sampleContentProvided", "", 4_000_041),
                ("consumptionPercentage", "100001", 4_000_208), ("consumptionPercentage", "-1", 4_000_208),
                ("consumptionPercentage", "1", 4_000_210),
                ("refundPreference", "1", 4_000_044), ("refundPreference", "\"MAYBE\"", 4_000_044),
            ] {
                let refused = try await seller.refusal(new, .put, body(Self.second, name, value))
                #expect(refused == "400 \(code)", "\(name) \(value)")
            }
            let owned = "transactions/consumption/\(apple)"
            #expect(try await seller.refusal("v1/\(owned)", .put, body(Self.first)) == "400 4000047")
            #expect(try await seller.done("v2/\(owned)", .put, body(Self.second)) == 202)
            for version in ["v1", "v2"] {
                let fields = body(version == "v1" ? Self.first : Self.second)
                let path = "\(version)/transactions/consumption"
                #expect(try await seller.refusal("\(path)/x", .put, fields) == "400 4000006")
                #expect(try await seller.refusal("\(path)/2000000000000000001", .put, fields) == "404 4040010")
                #expect(try await seller.refusal("\(path)/\(juice)", .put, "[]") == "400 4000000")
            }
            #expect(try await waiting(store) == nil)
        }
    }
}
