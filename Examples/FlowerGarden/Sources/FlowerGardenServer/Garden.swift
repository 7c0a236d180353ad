// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The back end's decisions on sign-in and purchases.
struct Garden: Sendable {
    static let sessionLifetime: TimeInterval = 30 * 86_400
    static let customerLimit = 10_000
    static let sessionLimit = 10
    static let letters = "abcdefghijklmnopqrstuvwxyz0123456789.-_@"

    let catalogue: Catalogue
    let content: URL
    let records: Records
    let receipts: any ReceiptChecking
    let attempts = Attempts()
    /// The clock: tests move it with the store's.
    let now: @Sendable () -> Date

    /// A customer's purchases, the same on each of the customer's devices.
    struct State: Codable, Equatable, Sendable {
        var products: [String]
        var coins: Int
        /// When each subscription and season pass ends or has ended.
        var subscriptions: [String: Date] = [:]
    }

    struct SignedIn: Codable, Sendable {
        var token: String
        var expires: Date
    }

    func register(_ name: String, _ text: String) async throws {
        guard (1...64).contains(name.count), name.allSatisfy({ Self.letters.contains($0) })
        else { throw Refusal.badName }
        guard (10...128).contains(text.utf8.count) else { throw Refusal.badPassword }
        let password = try await Password(text)
        try await records.change { contents in
            guard contents.customers[name] == nil else { throw Refusal.nameTaken }
            guard contents.customers.count < Self.customerLimit else { throw Refusal.full }
            contents.customers[name] = Customer(password: password)
        }
    }

    func signIn(_ name: String, _ text: String) async throws -> SignedIn {
        guard name.utf8.count <= 64, text.utf8.count <= 128 else { throw Refusal.wrongPassword }
        let time = now()
        guard await attempts.begin(name, at: time) else { throw Refusal.tooManyAttempts }
        guard let customer = await records.read({ $0.customers[name] }) else {
            // A name that is unknown takes as long as a wrong password.
            _ = try await Password(text)
            throw Refusal.wrongPassword
        }
        guard try await customer.password.matches(text) else { throw Refusal.wrongPassword }
        await attempts.forget(name)
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
        let expires = time + Self.sessionLifetime
        try await records.change { contents in
            contents.sessions = contents.sessions.filter { $0.value.expires > time }
            let older = contents.sessions.filter { $0.value.name == name }
                .sorted { $0.value.expires > $1.value.expires }
            for session in older.dropFirst(Self.sessionLimit - 1) { contents.sessions[session.key] = nil }
            contents.sessions[EntityTag.of(Data(token.utf8))] = Records.Session(name: name, expires: expires)
        }
        return SignedIn(token: token, expires: expires)
    }

    /// Ends a session.
    func signOut(token: String) async throws {
        try await records.change { $0.sessions[EntityTag.of(Data(token.utf8))] = nil }
    }

    /// The customer's name of a session that hasn't expired.
    func name(token: String) async throws -> String {
        let key = EntityTag.of(Data(token.utf8))
        guard let session = await records.read({ $0.sessions[key] }), session.expires > now() else {
            throw Refusal.noSession
        }
        return session.name
    }

    func state(of name: String) async throws -> State {
        try await records.read { try state(of: name, in: $0) }
    }

    /// Adds the purchases of a receipt. The app finishes its transactions after
    /// this: it is written when the answer is sent.
    func add(_ receipt: Data, to name: String) async throws -> State {
        let checked = try await receipts.check(receipt)
        return try await records.change { contents in
            let originals = Set(checked.map(\.original))
            // All of the receipt or nothing of it.
            guard originals.allSatisfy({ contents.owners[$0] == nil || contents.owners[$0] == name }) else {
                throw Refusal.receiptOfAnotherCustomer
            }
            for original in originals { contents.owners[original] = name }
            contents.customers[name]?.add(checked, of: catalogue)
            return try state(of: name, in: contents)
        }
    }

    /// Gives a product away. Whether it is free is the server's decision: an
    /// app's claim has no part in it.
    func give(_ product: String, to name: String) async throws -> State {
        guard let item = catalogue.item(product) else { throw Refusal.noProduct }
        guard item.isFree else { throw Refusal.notFree }
        return try await records.change { contents in
            contents.customers[name]?.free.insert(product)
            return try state(of: name, in: contents)
        }
    }

    func spend(_ coins: Int, of name: String) async throws -> State {
        guard (1...1_000_000).contains(coins) else { throw Refusal.badRequest }
        return try await records.change { contents in
            guard let balance = contents.customers[name]?.coins, balance >= coins else { throw Refusal.tooFewCoins }
            contents.customers[name]?.coins = balance - coins
            return try state(of: name, in: contents)
        }
    }

    /// The bytes of a product that is the customer's.
    func file(of product: String, for name: String) async throws -> Data {
        guard let item = catalogue.item(product) else { throw Refusal.noProduct }
        let time = now()
        guard await records.read({ $0.customers[name]?.owns(item, at: time) ?? false }) else { throw Refusal.notBought }
        guard item.hasContent else { throw Refusal.noContent }
        return try Data(contentsOf: content.appendingPathComponent("\(product).txt"), options: .mappedIfSafe)
    }

    private func state(of name: String, in contents: Records.Contents) throws -> State {
        guard let customer = contents.customers[name] else { throw Refusal.noSession }
        let time = now()
        let owned = catalogue.items.filter { $0.kind != .coins && customer.owns($0, at: time) }
        let ends = catalogue.items.filter { [.season, .subscription].contains($0.kind) }.compactMap { item in
            customer.end(of: item).map { (item.product, $0) }
        }
        return State(
            products: owned.map(\.product), coins: customer.coins,
            subscriptions: Dictionary(uniqueKeysWithValues: ends))
    }
}

/// Wrong passwords of the last 15 minutes: at most ten for a name.
actor Attempts {
    private var times: [String: [Date]] = [:]

    /// Counts an attempt. It counts before its password is compared, so that
    /// attempts at the same moment count too.
    func begin(_ name: String, at time: Date) -> Bool {
        times = times.mapValues { $0.filter { $0 > time - 900 } }.filter { !$0.value.isEmpty }
        guard times[name, default: []].count < 10, times.count < 10_000 else { return false }
        times[name, default: []].append(time)
        return true
    }

    func forget(_ name: String) { times[name] = nil }
}
