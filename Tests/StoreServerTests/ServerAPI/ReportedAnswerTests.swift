// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Answers that were reported as wrong: `ReportedAnswer.table` has a row for each.
@Suite(.timeLimit(.hang))
struct ReportedAnswerTests {
    @Test("A request that was reported has the right answer", arguments: ReportedAnswer.table)
    func answers(report: ReportedAnswer) async throws {
        try await Engine.sqliteMemory.withControl { store, client in
            var experiment = try await ReportedExperiment(store, client)
            for step in report.steps { try await experiment.run(step) }
        }
    }
}

/// A store that sells the products of the reports to Anna and Carl.
private struct ReportedExperiment {
    private let store: TestStore
    private let seller: ServerSeller
    private let anna: Account
    private let phone: TestDevice
    /// The transactions that steps have saved.
    private var saved: [String: String] = [:]

    init(_ store: TestStore, _ client: any TestClientProtocol) async throws {
        self.store = store
        let app = BundleIdentifier(TestStore.bundleIdentifier)
        try await ImportingCatalogue(store.context)(
            StoreKitConfigurationFile(Data(ReportedCatalogue.text.utf8), file: "shop.storekit", bundleIdentifier: app),
            into: App(bundleIdentifier: app, name: "Fruit"))
        try await ChangingNotificationAddresses(store.context).add("https://seller.example/notify", of: app)
        seller = try await ServerSeller(store, client)
        anna = try await store.addAccount()
        phone = try await store.addDevice()
        _ = try await store.addAccount("carl@example.com")
        // Signatures have this part of a second, and the dates of purchases don't.
        store.clock.advance(by: .milliseconds(751))
    }

    /// Makes a request, compares the answer, and does the store's own work. Then a second passes.
    mutating func run(_ step: ReportedAnswer.Step) async throws {
        let (status, text) = try await answer(to: try await filled(step.request), try await filled(step.body))
        #expect(status == step.status, "\(step.request): \(text)")
        let answer = text.isEmpty ? JSONValue.null : try JSONValue(parsing: text)
        if let name = step.saved {
            let number = try #require(answer.last("transaction"), "\(step.request): \(text)")
            saved[name] = number
        }
        for (place, expected) in step.values {
            let value = answer.text(at: place)
            let expected = try await filled(expected)
            let isRight = expected.first == "*" ? value.hasSuffix(expected.dropFirst()) : value == expected
            #expect(isRight, "\(step.request): \(place) is \(value), not \(expected)")
        }
        await store.service.sharePurchases()
        try await CarryingOutMassExtensions(store.context)()
        try await SigningNotifications(store.context, authority: store.service.authority)()
        store.clock.advance(by: .seconds(1))
    }

    private func answer(to request: String, _ body: String) async throws -> (status: Int, text: String) {
        let words = request.split(separator: " ", maxSplits: 1).map(String.init)
        switch words[0] {
        case "C":
            let response = try await seller.client.post("/control/v1/\(words[1])", body, headers: .control)
            return (response.status.code, response.text)
        case "buy":
            let bought = try await phone.buy(words[1], request: "\(words[1]) \(saved.count)", as: anna)
            return (200, #"{"transaction": "\#(bought.transactionIdentifier)"}"#)
        case "finish":
            try await phone.finish(words[1])
            return (200, "")
        case "POST" where words[1].hasPrefix("/"):
            let response = try await seller.client.post(words[1], body)
            return (response.status.code, response.text)
        default:
            let method = try #require(HTTPRequest.Method(words[0]))
            let response = try await seller.ask(words[1], method, body)
            return (response.status.code, response.text)
        }
    }

    /// A text with the values of its names.
    private func filled(_ text: String) async throws -> String {
        var (filled, rest) = ("", Substring(text))
        while let name = rest.firstMatch(of: /\$([A-Za-z0-9]+)([.-]([A-Za-z0-9]+))?/) {
            filled += rest[..<name.range.lowerBound]
            filled += try await value(String(name.1), name.3.map(String.init))
            rest = rest[name.range.upperBound...]
        }
        return filled + rest
    }

    private func value(_ name: String, _ detail: String?) async throws -> String {
        switch (name, detail) {
        case ("now", let days):
            return String(store.clock.now.milliseconds - (days.flatMap(Int64.init) ?? 0) * 86_400_000)
        case ("receipt", nil):
            return try #require(try await phone.receiptAnswer().receipt)
        case ("receipt", let name?):
            let number = try #require(saved[name])
            let answer = try await phone.call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: [number]))
            return try #require(answer.receipts[number])
        case (_, "shared"):
            let number = try #require(saved[name])
            let shared: String? = try await store.context.read { db in
                try db.row("SELECT transaction_id FROM purchase WHERE shared_from = $1", [number])?.get(
                    "transaction_id")
            }
            return try #require(shared)
        default:
            return try #require(saved[name])
        }
    }
}

extension JSONValue {
    /// The last text with a name, at any depth.
    fileprivate func last(_ name: String) -> String? {
        switch self {
        case .object(let members):
            if case .string(let text)? = members[name] { return text }
            return members.sorted { $0.key < $1.key }.compactMap { $0.value.last(name) }.last
        case .array(let values): return values.compactMap { $0.last(name) }.last
        default: return nil
        }
    }

    /// The value at a place, as a text; `none` if there is none.
    fileprivate func text(at place: String) -> String {
        var value: JSONValue? = self
        for name in place.split(separator: ".") { value = value?.read?.member(String(name)) }
        switch value {
        case .string(let text)?: return text
        case nil: return "none"
        case let value?: return value.encoded
        }
    }

    /// The contents of a text: the payload of a signed value, or JSON.
    private var read: JSONValue? {
        guard case .string(let text) = self else { return self }
        let parts = text.split(separator: ".")
        let payload = parts.count == 3 ? Data(base64URL: parts[1]) : Data(text.utf8)
        return payload.flatMap { try? JSONValue(parsing: String(decoding: $0, as: UTF8.self)) }
    }

    private func member(_ name: String) -> JSONValue? {
        switch self {
        case .object(let members):
            name == "keys" ? .string(members.keys.sorted().joined(separator: " ")) : members[name]
        case .array(let values):
            if name == "count" {
                .number("\(values.count)")
            } else {
                Int(name).flatMap { values.indices.contains($0) ? values[$0] : nil }
            }
        default: nil
        }
    }
}

extension Data {
    fileprivate init?(base64URL text: Substring) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
