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

    let credentials: DeviceCredentials
    let email: String

    /// Opens the customer's account, on a device with these credentials or
    /// with those of the number.
    init(_ number: Int, of store: BenchmarkStore, on device: DeviceCredentials? = nil) async throws {
        credentials = device ?? Self.credentials(number)
        email = "customer\(number)@example.com"
        _ = try await AddingAccount(store.context)(
            email: email, password: Self.password, storefront: "USA")
    }

    /// The credentials of the device with a number.
    static func credentials(_ number: Int) -> DeviceCredentials {
        let digits = String(number + 1, radix: 16)
        func padded(_ length: Int) -> String { String(repeating: "0", count: length - digits.count) + digits }
        return DeviceCredentials(identifier: padded(32), secret: padded(64))
    }

    func registerDevice(over connection: HTTPConnection) throws {
        _ = try call(RegisterCall(), over: connection)
    }

    /// Registers the device and buys with the password. Returns the cookie
    /// with which the browser buys without the password.
    func signInBuying(over connections: Connections) throws -> String {
        try registerDevice(over: connections.device)
        let response = try buy(request: "first", form: "decision=buy&\(typed)", cookie: nil, over: connections)
        guard let cookie = Self.cookie(in: response) else {
            throw BenchmarkFailure("The store gave the browser no cookie.")
        }
        return cookie
    }

    /// Makes one purchase, from the payment to the finished transaction.
    func buy(request: String, cookie: String, over connections: Connections) throws {
        try buy(request: request, form: "decision=buy", cookie: cookie, over: connections)
    }

    /// Signs in on a sheet with the password, makes a purchase with the
    /// password, and signs out.
    func buyWithPassword(request: String, over connections: Connections) throws {
        let receipt = try call(
            ReceiptCall(
                requestIdentifier: "\(request)-sign-in", bundleIdentifier: BenchmarkStore.app,
                applicationVersion: "1.0", mayAskToSignIn: true), over: connections.device)
        try answer(receipt.sheet, with: "decision=sign-in&\(typed)", cookie: nil, over: connections.browser)
        try buy(request: request, form: "decision=buy&\(typed)", cookie: nil, over: connections)
        _ = try call(SignOutCall(requestIdentifier: "\(request)-sign-out"), over: connections.device)
    }

    /// Buys without finishing, and returns the transaction's identifier.
    func buyOnly(request: String, cookie: String, over connections: Connections) throws -> String {
        try pay(request: request, form: "decision=buy", cookie: cookie, over: connections).transaction
    }

    /// The app's receipt for the device.
    func receipt(over connection: HTTPConnection) throws -> String {
        let call = ReceiptCall(
            requestIdentifier: "receipt", bundleIdentifier: BenchmarkStore.app, applicationVersion: "1.0",
            mayAskToSignIn: false)
        guard let receipt = try self.call(call, over: connection).receipt else {
            throw BenchmarkFailure("The store has issued no receipt.")
        }
        return receipt
    }

    /// The e-mail address and the password, in a form.
    var typed: String { "email=\(email)&password=correct+horse" }

    @discardableResult
    private func buy(request: String, form: String, cookie: String?, over connections: Connections) throws
        -> HTTPResponse
    {
        let (confirmed, transaction) = try pay(request: request, form: form, cookie: cookie, over: connections)
        let finish = FinishCall(bundleIdentifier: BenchmarkStore.app, transactionIdentifier: transaction)
        _ = try call(finish, over: connections.device)
        return confirmed
    }

    private func pay(request: String, form: String, cookie: String?, over connections: Connections) throws
        -> (confirmed: HTTPResponse, transaction: String)
    {
        let payment = PaymentCall(
            requestIdentifier: request, bundleIdentifier: BenchmarkStore.app,
            productIdentifier: BenchmarkStore.product, quantity: 1)
        let sheet = try call(payment, over: connections.device).sheet
        let confirmed = try answer(sheet, with: form, cookie: cookie, over: connections.browser)
        guard let transaction = try call(payment, over: connections.device).transaction else {
            throw BenchmarkFailure("The store has no transaction for \(request).")
        }
        return (confirmed, transaction.transactionIdentifier)
    }

    @discardableResult
    private func answer(
        _ sheet: String?, with form: String, cookie: String?, over connection: HTTPConnection
    ) throws -> HTTPResponse {
        guard let sheet else { throw BenchmarkFailure("The store shows no sheet for \(form).") }
        return try Self.answer(sheet, with: form, cookie: cookie, over: connection)
    }

    /// Sends the form of a sheet, whose address is known.
    @discardableResult
    static func answer(
        _ sheet: String, with form: String, cookie: String?, over connection: HTTPConnection
    ) throws -> HTTPResponse {
        guard let token = sheet.split(separator: "/").last else { throw BenchmarkFailure("\(sheet) is no sheet.") }
        // The store accepts the cookie only in a form from one of its pages.
        var headers = [
            "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
            "Origin": BenchmarkStore.publicURL,
        ]
        headers["Cookie"] = cookie
        return try connection.post("/sheet/\(token)", headers: headers, body: Data(form.utf8))
    }

    /// The cookie that a response sets.
    static func cookie(in response: HTTPResponse) -> String? {
        response.head["set-cookie"]?.split(separator: ";").first.map(String.init)
    }

    func call<Call: StoreCall>(_ call: Call, over connection: HTTPConnection) throws -> Call.Answer {
        let response = try connection.post(
            "\(StorePath.folder)/\(Call.path.rawValue)",
            headers: ["Authorization": credentials.authorization, "Content-Type": "application/json"],
            body: try StoreCoding.encode(call))
        return try StoreCoding.decode(Call.Answer.self, from: response.body)
    }
}

/// A customer's two connections, which may go to two nodes of the store.
struct Connections {
    let device: HTTPConnection
    let browser: HTTPConnection

    /// Connects the device to the first port, and the browser to the last
    /// one. On one port both share a connection.
    init(_ ports: [Int]) throws {
        guard let first = ports.first, let last = ports.last else { throw BenchmarkFailure("There is no node.") }
        device = try HTTPConnection(port: first)
        browser = first == last ? device : try HTTPConnection(port: last)
    }
}
