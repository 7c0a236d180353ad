// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent
@testable import StoreKit

/// A device whose journal has the rows of a test, and that talks to no store.
struct JournalDevice {
    private static let bundle = "com.example.fruit"
    private static let nonce = "11111111-2222-4333-8444-555555555555"
    private let folder: TemporaryFolder
    private let authority: SigningAuthority
    private let configuration: StoreKitConfiguration
    let agent: Agent

    init(system: any AgentSystem = PosixSystem(.app)) throws {
        folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 7)
        authority = try SigningAuthority.create(using: &random)
        let trust = folder.url.appendingPathComponent("roots.pem")
        try Data(authority.rootsPEM.utf8).write(to: trust)
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url.appendingPathComponent("home", isDirectory: true)
        configuration.bundleIdentifier = Self.bundle
        configuration.trust = trust
        self.configuration = configuration
        agent = try AgentHost.makeAgent(configuration, system: system)
    }

    /// Another process of the app.
    func process() throws -> Agent {
        try AgentHost.makeAgent(configuration)
    }

    func stop() { agent.close() }

    /// A transaction of an apple for this device; `change` may change it.
    func signed(
        _ number: String = "7", by other: SigningAuthority? = nil, change: (inout TransactionPayload) -> Void = { _ in }
    ) throws -> SignedTransactionInfo {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var payload = TransactionPayload()
        payload.transactionId = number
        payload.originalTransactionId = number
        payload.productId = "apple"
        payload.bundleId = Self.bundle
        payload.purchaseDate = date
        payload.originalPurchaseDate = date
        payload.type = "Non-Consumable"
        payload.environment = .sandbox
        payload.inAppOwnershipType = "PURCHASED"
        payload.signedDate = date
        payload.deviceVerificationNonce = Self.nonce
        let device = UUID(deviceIdentifier: agent.deviceIdentifier)?.uuidString.lowercased() ?? ""
        payload.deviceVerification = Data(SHA384.hash(data: Data((Self.nonce + device).utf8))).base64EncodedString()
        change(&payload)
        return SignedTransactionInfo(
            transactionIdentifier: number, productIdentifier: "apple",
            signed: try (other ?? authority).sign(payload))
    }

    /// Makes these rows the whole history of an account, which is signed in.
    func save(_ rows: [SignedRow], of account: String = "customer") async throws {
        let position = EventPosition(account: account, number: 1)
        try await agent.journal.database.write { connection in
            try JournalState.update(connection) { $0.position = position }
            try SignedState.update(connection) { state in
                state.account = position.account
                state.position = position
                state.isUsed = true
                (state.wanted, state.known) = (1, 1)
            }
            try connection.run("DELETE FROM signed_transaction")
            for row in rows { try row.save(connection) }
        }
    }

    /// Signs another customer in, whose transactions aren't here yet.
    func signIn(_ account: String) async throws {
        try await agent.journal.database.write { connection in
            try JournalState.update(connection) { $0.position = EventPosition(account: account, number: 1) }
        }
        look()
    }

    /// Lets the agent notice a change of the journal.
    func look() {
        agent.delivery.look()
        agent.delivery.queue.sync {}
    }

    /// The purchase of an apple that the store has decided, for an entry of the
    /// queue.
    func purchase(_ number: String) -> TransactionInfo {
        TransactionInfo(
            transactionIdentifier: number, originalTransactionIdentifier: number, productIdentifier: "apple",
            quantity: 1, purchaseDate: 1_700_000_000_000, originalPurchaseDate: 1_700_000_000_000)
    }

    /// Puts a purchase into the queue, as an entry of its own or as the decision
    /// of a payment.
    func arrive(_ number: String, as request: AgentTransaction.ID? = nil) async throws {
        let transaction = purchase(number)
        try await agent.journal.database.write { connection in
            let known = try request.flatMap { try JournalEntry.load(connection, $0) }
            let entry = try known ?? .unasked(transaction, sequence: JournalState.nextSequence(connection), now: 1)
            try Journal.handle(connection, entry, .arrived(transaction, nil, question: 0), now: 1)
        }
        agent.presence.wakeOthers()
        agent.delivery.look()
    }
}
