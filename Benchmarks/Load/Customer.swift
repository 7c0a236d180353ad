// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService

/// A customer with a device and a browser, who buys as in an app: the device
/// sends a payment, the browser confirms it, the device sends it again,
/// receives the transaction and finishes it.
struct Customer: Sendable {
    private static let password = "correct horse"

    private let credentials: DeviceCredentials
    private let email: String

    /// Opens the customer's account.
    init(_ number: Int, of store: BenchmarkStore) async throws {
        let digits = String(number + 1, radix: 16)
        func padded(_ length: Int) -> String { String(repeating: "0", count: length - digits.count) + digits }
        credentials = DeviceCredentials(identifier: padded(32), secret: padded(64))
        email = "customer\(number)@example.com"
        _ = try await AddingAccount(store.context)(
            email: email, password: Self.password, storefront: "USA")
    }

    /// Registers the device and buys with the password. Returns the cookie
    /// with which the browser buys without the password.
    func signInBuying(over connection: HTTPConnection) throws -> String {
        _ = try call(RegisterCall(), over: connection)
        let response = try buy(
            request: "first", form: "decision=buy&email=\(email)&password=correct+horse", cookie: nil,
            over: connection)
        guard let cookie = response.head["set-cookie"]?.split(separator: ";").first else {
            throw BenchmarkFailure("The store gave the browser no cookie.")
        }
        return String(cookie)
    }

    /// Makes one purchase, from the payment to the finished transaction.
    func buy(request: String, cookie: String, over connection: HTTPConnection) throws {
        try buy(request: request, form: "decision=buy", cookie: cookie, over: connection)
    }

    @discardableResult
    private func buy(request: String, form: String, cookie: String?, over connection: HTTPConnection) throws
        -> HTTPResponse
    {
        let payment = PaymentCall(
            requestIdentifier: request, bundleIdentifier: BenchmarkStore.app,
            productIdentifier: BenchmarkStore.product, quantity: 1)
        guard let token = try call(payment, over: connection).sheet?.split(separator: "/").last else {
            throw BenchmarkFailure("The store shows no sheet for \(request).")
        }
        // The store accepts the cookie only in a form from one of its pages.
        var headers = [
            "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
            "Origin": BenchmarkStore.publicURL,
        ]
        headers["Cookie"] = cookie
        let confirmed = try connection.post("/sheet/\(token)", headers: headers, body: Data(form.utf8))
        guard let transaction = try call(payment, over: connection).transaction else {
            throw BenchmarkFailure("The store has no transaction for \(request).")
        }
        let finish = FinishCall(
            bundleIdentifier: BenchmarkStore.app,
            transactionIdentifier: transaction.transactionIdentifier)
        _ = try call(finish, over: connection)
        return confirmed
    }

    private func call<Call: StoreCall>(_ call: Call, over connection: HTTPConnection) throws -> Call.Answer {
        let response = try connection.post(
            "\(StorePath.folder)/\(Call.path.rawValue)",
            headers: ["Authorization": credentials.authorization, "Content-Type": "application/json"],
            body: try StoreCoding.encode(call))
        return try StoreCoding.decode(Call.Answer.self, from: response.body)
    }
}
