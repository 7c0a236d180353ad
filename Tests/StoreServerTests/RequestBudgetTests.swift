// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreMeasurement
import StoreServer
import StoreTestSupport
import Testing

/// The cost of whole purchases and of `/verifyReceipt`, by the requests that
/// reach the store. A change that makes one dearer or cheaper has to change its
/// line of ``budget``; `PurchaseBudgetTests` has the cost of each operation.
struct RequestBudgetTests {
    /// The cost for a non-consumable with a price on a device that is signed
    /// in. A purchase asks, shows and confirms the sheet, asks for the result,
    /// fetches both receipts, and is finished. Its event stream isn't included.
    private static let budget: [(operation: String, cost: OperationCost)] = [
        ("purchase", .init(requests: 7, transactions: 20, statements: 72, commits: 8, signatures: 2)),
        ("purchase with a password", .init(requests: 7, transactions: 21, statements: 85, commits: 11, signatures: 2)),
        ("/verifyReceipt", .init(requests: 1, transactions: 1, statements: 1, commits: 0)),
        ("/verifyReceipt of the old format", .init(requests: 1, transactions: 1, statements: 1, commits: 0)),
    ]

    @Test("A purchase and /verifyReceipt keep to their budgets", arguments: Engine.servers)
    func budget(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let steps = MeasuredOperations(in: RecordingDatabase(database))
            let store = try await TestStore(steps.recorder, metrics: steps.signatures)
            let application = Application(router: try buildRouter(store.service), logger: .silent)
            try await application.test(.router) { client in
                let customer = Customer(
                    steps: steps, client: client, anna: try await store.addAccount(),
                    device: try await store.addDevice())
                // Signs in, and lets the store look up the app and record its use.
                let cookie = try await customer.buy("juice", request: "first", cookie: nil).cookie

                let bought = try await steps.measure("purchase") {
                    try await customer.buy("apple", request: "cookie", cookie: cookie)
                }
                try await steps.measure("purchase with a password") {
                    _ = try await customer.buy("pear", request: "password", cookie: nil)
                }
                try await steps.measure("/verifyReceipt") { try await customer.verify(bought.receipt) }
                try await steps.measure("/verifyReceipt of the old format") {
                    try await customer.verify(bought.transactionReceipt)
                }
            }
            OperationCost.expect(steps.costs, toBe: Self.budget)
        }
    }

    /// A customer whose device, browser and seller's server send HTTP
    /// requests.
    private struct Customer {
        let steps: MeasuredOperations
        let client: any TestClientProtocol
        let anna: Account
        let device: TestDevice

        struct Bought {
            var receipt: String
            var transactionReceipt: String
            /// The cookie of the browser after the purchase.
            var cookie: String
        }

        /// Buys with the cookie, or else with the password, and finishes.
        func buy(_ product: String, request: String, cookie: String?) async throws -> Bought {
            let payment = PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: product,
                quantity: 1)
            let sheet = "/sheet/\(try device.token(try await call(payment).sheet))"
            let newCookie = try await confirm(sheet, cookie: cookie)
            let transaction = try #require(try await call(payment).transaction).transactionIdentifier
            let receipt = try await call(
                ReceiptCall(
                    requestIdentifier: "receipt", bundleIdentifier: TestStore.bundleIdentifier,
                    applicationVersion: "1.0", mayAskToSignIn: false)
            ).receipt
            let receipts = try await call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0",
                    transactions: [transaction])
            ).receipts
            _ = try await call(
                FinishCall(bundleIdentifier: TestStore.bundleIdentifier, transactionIdentifier: transaction))
            return Bought(
                receipt: try #require(receipt), transactionReceipt: try #require(receipts[transaction]),
                cookie: newCookie)
        }

        func verify(_ receipt: String) async throws {
            steps.countRequest()
            let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")
            #expect(try response.object()["status"] as? Int == 0)
        }

        /// Shows the sheet and confirms it; returns the browser's cookie.
        private func confirm(_ sheet: String, cookie: String?) async throws -> String {
            var headers: HTTPFields = [.accept: "application/json", .origin: "https://store.example"]
            if let cookie { headers[.cookie] = cookie }
            steps.countRequest()
            let page = try await client.get(sheet, headers: headers)
            #expect(page.status == .ok)
            let password = TestStore.password.replacing(" ", with: "+")
            steps.countRequest()
            let confirmed = try await client.post(
                sheet, cookie == nil ? "email=\(anna.email)&password=\(password)&decision=buy" : "decision=buy",
                headers: headers)
            #expect(confirmed.status == .ok)
            let new = confirmed.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
            return try #require(new ?? cookie)
        }

        private func call<Call: StoreCall>(_ call: Call) async throws -> Call.Answer {
            steps.countRequest()
            let response = try await client.post(
                "\(StorePath.folder)/\(Call.path.rawValue)",
                String(decoding: try StoreCoding.encode(call), as: UTF8.self), headers: device.headers)
            #expect(response.status == .ok, "\(Call.path.rawValue): \(response.text)")
            return try StoreCoding.decode(Call.Answer.self, from: Data(response.text.utf8))
        }
    }
}
