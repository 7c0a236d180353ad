// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent
@testable import StoreKit

/// Values in a device's journal that the device doesn't trust, and columns
/// beside them that say something else.
@Suite(.timeLimit(.hang))
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
        device.stop()
    }

    @Test("A value that is trusted is an entitlement")
    func trusted() async throws {
        try await device.save([SignedRow(try device.signed(), change: 1)])
        #expect(try await EntitlementListing().next(device.agent)?.payloadValue.id == 7)
        device.stop()
    }

    @Test("A consumable is no entitlement, whichever type its row has")
    func consumable() async throws {
        var row = SignedRow(try device.signed { $0.type = "Consumable" }, change: 1)
        row.type = "Non-Consumable"
        try await device.save([row])
        #expect(try await EntitlementListing().next(device.agent) == nil)
        device.stop()
    }

    /// A period of one subscription, between two moments in seconds from now.
    private func period(
        _ number: String, from start: TimeInterval, to end: TimeInterval, isUpgraded: Bool = false
    ) throws -> SignedRow {
        let info = try device.signed(number) { payload in
            payload.originalTransactionId = "7"
            payload.type = "Auto-Renewable Subscription"
            payload.subscriptionGroupIdentifier = "BASKETS"
            payload.purchaseDate = .now + start
            payload.expiresDate = .now + end
            payload.isUpgraded = isUpgraded ? true : nil
        }
        return SignedRow(info, change: 1)
    }

    @Test("An older period is no entitlement beside a newer one of its subscription, whichever row it has")
    func subject() async throws {
        let periods = [
            try period("7", from: -200, to: 86_400), try period("8", from: -100, to: -50),
        ]
        try await device.save(periods)
        #expect(try await EntitlementListing().next(device.agent) == nil)
        var other = periods[0]
        other.original = "9"
        try await device.save([other, periods[1]])
        #expect(try await EntitlementListing().next(device.agent) == nil)
        device.stop()
    }

    @Test("The period after an upgrade is an entitlement, also if its date is before that of the upgraded one")
    func upgraded() async throws {
        let periods = [
            try period("7", from: -99, to: 86_400, isUpgraded: true), try period("8", from: -100, to: 86_400),
        ]
        try await device.save(periods)
        let entitlements = EntitlementListing()
        #expect(try await entitlements.next(device.agent)?.payloadValue.id == 8)
        #expect(try await entitlements.next(device.agent) == nil)
        device.stop()
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
        device.stop()
    }
}
