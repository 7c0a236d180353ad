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

/// Values in a device's journal that the device doesn't trust, and columns
/// beside them that say something else.
@Suite(.timeLimit(.minutes(5)))
struct UntrustedJournalTests {
    /// A mistake in a signed value, and the reason not to trust it.
    enum Mistake: CaseIterable {
        case device, app, signature, store, transaction, product, text

        var reason: VerificationResult<Transaction>.VerificationError {
            switch self {
            case .device: .invalidDeviceVerification
            case .app: .missingRequiredProperties
            case .signature: .invalidSignature
            case .store: .invalidCertificateChain
            case .transaction, .product, .text: .invalidEncoding
            }
        }
    }

    private let device: JournalDevice

    init() throws {
        device = try JournalDevice()
    }

    private func row(_ mistake: Mistake) throws -> SignedRow {
        var info = try device.signed { payload in
            if mistake == .device { payload.deviceVerificationNonce = UUID().uuidString }
            if mistake == .app { payload.bundleId = "com.example.other" }
        }
        switch mistake {
        case .device, .app: break
        case .signature: info.signed = String(info.signed.dropLast(4)) + "AAAA"
        case .store:
            var random = SeededGenerator(seed: 8)
            info = try device.signed(by: try SigningAuthority.create(using: &random))
        case .transaction: info.transactionIdentifier = "8"
        case .product: info.productIdentifier = "pear"
        case .text: info.signed = "a.b"
        }
        return SignedRow(info, change: 1)
    }

    @Test("A value that isn't trusted is listed with its reason, and is no entitlement", arguments: Mistake.allCases)
    func mistakes(_ mistake: Mistake) async throws {
        let row = try row(mistake)
        try await device.save([row])
        let result = try #require(try await TransactionListing(.all).next(device.agent))
        guard case .unverified(let transaction, let reason) = result else {
            Issue.record("\(result) is verified")
            return
        }
        #expect(reason == mistake.reason && "\(transaction.id)" == row.transactionIdentifier)
        #expect(try await EntitlementListing().next(device.agent) == nil)
        await device.stop()
    }

    @Test("A value that is trusted is an entitlement")
    func trusted() async throws {
        try await device.save([SignedRow(try device.signed(), change: 1)])
        #expect(try await EntitlementListing().next(device.agent)?.payloadValue.id == 7)
        await device.stop()
    }

    @Test("A consumable is no entitlement, whichever type its row has")
    func consumable() async throws {
        var row = SignedRow(try device.signed { $0.type = "Consumable" }, change: 1)
        row.type = "Non-Consumable"
        try await device.save([row])
        #expect(try await EntitlementListing().next(device.agent) == nil)
        await device.stop()
    }

    @Test("An older period is no entitlement beside a newer one of its subscription, whichever row it has")
    func subject() async throws {
        let periods = try ["7", "8"].map { number in
            SignedRow(
                try device.signed(number) { payload in
                    payload.originalTransactionId = "7"
                    payload.type = "Auto-Renewable Subscription"
                    payload.subscriptionGroupIdentifier = "BASKETS"
                    payload.purchaseDate = number == "7" ? .now - 200 : .now - 100
                    payload.expiresDate = number == "7" ? .now + 86_400 : .now - 50
                }, change: 1)
        }
        try await device.save(periods)
        #expect(try await EntitlementListing().next(device.agent) == nil)
        var other = periods[0]
        other.original = "9"
        try await device.save([other, periods[1]])
        #expect(try await EntitlementListing().next(device.agent) == nil)
        await device.stop()
    }

    @Test("A transaction has the fields of its signed value")
    func fields() async throws {
        let info = try device.signed { payload in
            payload.inAppOwnershipType = "FAMILY_SHARED"
            payload.revocationDate = Date(timeIntervalSince1970: 1_700_000_100)
            payload.revocationType = "FAMILY_REVOKE"
            payload.revocationPercentage = 33_333
            payload.previousOriginalTransactionId = "5"
        }
        try await device.save([SignedRow(info, change: 1)])
        let shared = try #require(try await TransactionListing(.all).next(device.agent)).payloadValue
        #expect(shared.ownershipType == .familyShared && shared.ownershipType.localizedDescription == "Family Shared")
        #expect(shared.revocationType == .familyRevocation)
        #expect(shared.revocationTypeStringRepresentation == "FAMILY_REVOKE")
        #expect(shared.revocationPercentage == Decimal(string: "33.333"))
        #expect(shared.previousOriginalTransactionID == 5)
        #expect(try await EntitlementListing().next(device.agent) == nil)
        await device.stop()
    }
}

/// A device whose journal has the rows of a test, and that reaches no store.
private struct JournalDevice {
    private static let bundle = "com.example.fruit"
    private static let nonce = "11111111-2222-4333-8444-555555555555"
    private let folder: TemporaryFolder
    private let host = AgentHost()
    private let authority: SigningAuthority
    let agent: Agent

    init() throws {
        folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 7)
        authority = try SigningAuthority.create(using: &random)
        let trust = folder.url.appendingPathComponent("roots.pem")
        try Data(authority.rootsPEM.utf8).write(to: trust)
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url.appendingPathComponent("home", isDirectory: true)
        configuration.bundleIdentifier = Self.bundle
        configuration.trust = trust
        #expect(host.use(configuration))
        agent = try host.agent()
    }

    func stop() async { await host.stop() }

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

    /// Makes these rows the whole history of the account.
    func save(_ rows: [SignedRow]) async throws {
        let position = EventPosition(account: "customer", number: 1)
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
}
