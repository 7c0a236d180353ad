// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The verification of signed values on the device.
@Suite(.timeLimit(.minutes(5)))
struct SignedVerdictTests {
    private let device: Device
    private let agent: Agent
    private static let number = "2000000000000001"

    init() throws {
        device = try Device()
        agent = try device.process(ScriptedStore()).agent
    }

    private func failure(_ info: SignedTransactionInfo) -> SignedFailure? {
        agent.verdict(SignedRow(info, change: 1)).failure
    }

    @Test("A value of the store for this app and device is verified")
    func verified() throws {
        #expect(failure(try SignedValues.transaction(Self.number, of: agent)) == nil)
    }

    @Test("A value for another device is not verified")
    func anotherDevice() throws {
        let other = try Device()
        let stranger = try other.process(ScriptedStore()).agent
        #expect(failure(try SignedValues.transaction(Self.number, of: stranger)) == .invalidDeviceVerification)
        let nonce = try SignedValues.transaction(Self.number, of: agent) { $0.deviceVerificationNonce = "1" }
        #expect(failure(nonce) == .invalidDeviceVerification)
    }

    @Test("A value for another app is not verified")
    func anotherApp() throws {
        let info = try SignedValues.transaction(Self.number, of: agent) { $0.bundleId = "com.example.other" }
        #expect(failure(info) == .missingRequiredProperties)
    }

    @Test("A value without a property is not verified", arguments: ["type", "deviceVerification", "purchaseDate"])
    func incomplete(field: String) throws {
        let info = try SignedValues.transaction(Self.number, of: agent) { $0.members[field] = nil }
        #expect(failure(info) == .missingRequiredProperties)
    }

    @Test("A value of another store is not verified")
    func anotherStore() throws {
        var random = SeededGenerator(seed: 99)
        let authority = try SigningAuthority.create(using: &random)
        let info = try SignedValues.transaction(Self.number, of: agent, by: authority)
        #expect(failure(info) == .invalidCertificateChain)
    }

    @Test("A value whose payload was changed is not verified")
    func changed() throws {
        var info = try SignedValues.transaction(Self.number, of: agent)
        let other = try SignedValues.transaction(Self.number, of: agent) { $0.quantity = 9 }
        var parts = info.signed.split(separator: ".")
        parts[1] = other.signed.split(separator: ".")[1]
        info.signed = parts.joined(separator: ".")
        #expect(failure(info) == .invalidSignature)
    }

    @Test("A value that was verified before is verified again, and a changed one or another root certificate isn't")
    func known() throws {
        let info = try SignedValues.transaction(Self.number, of: agent)
        let verifier = CachingVerifier(roots: [ScriptedStore.authority.jwsRootCertificate])
        for _ in 0..<2 {
            let (payload, refusals): (TransactionPayload, [JWSVerifier.Refusal]) = try verifier.verify(
                info.signed, of: Device.bundle)
            #expect(refusals.isEmpty && payload.transactionId == Self.number)
        }
        let (_, forOther): (TransactionPayload, [JWSVerifier.Refusal]) = try verifier.verify(
            info.signed, of: "com.example.other")
        #expect(forOther.map(\.code) == [.wrongBundleIdentifier])
        let other = try SignedValues.transaction(Self.number, of: agent) { $0.quantity = 9 }
        var parts = info.signed.split(separator: ".")
        parts[1] = other.signed.split(separator: ".")[1]
        let (_, ofChanged): (TransactionPayload, [JWSVerifier.Refusal]) = try verifier.verify(
            parts.joined(separator: "."), of: Device.bundle)
        #expect(ofChanged.map(\.code) == [.wrongSignature])
        let stranger = CachingVerifier(roots: [ScriptedStore.authority.rootCertificate])
        let (_, ofStranger): (TransactionPayload, [JWSVerifier.Refusal]) = try stranger.verify(
            info.signed, of: Device.bundle)
        #expect(ofStranger.map(\.code).contains(.untrustedRoot))
    }

    @Test("A text that isn't a signed value is not verified, and keeps its identifiers", arguments: ["", "a.b.c"])
    func unreadable(text: String) throws {
        let info = SignedTransactionInfo(transactionIdentifier: "7", productIdentifier: "pear", signed: text)
        let verdict = agent.verdict(SignedRow(info, change: 1))
        #expect(verdict.failure == .invalidEncoding)
        #expect(verdict.payload?.transactionId == "7" && verdict.payload?.productId == "pear")
    }

    @Test("The value of another transaction is not verified")
    func exchanged() throws {
        var info = try SignedValues.transaction(Self.number, of: agent)
        info.transactionIdentifier = "7"
        let verdict = agent.verdict(SignedRow(info, change: 1))
        #expect(verdict.failure == .invalidEncoding && verdict.payload?.transactionId == "7")
    }

    @Test("Without root certificates, no value is verified")
    func untrusted() throws {
        let agent = try device.process(ScriptedStore(), trusts: false).agent
        let info = try SignedValues.transaction(Self.number, of: agent)
        #expect(agent.verdict(SignedRow(info, change: 1)).failure == .invalidCertificateChain)
    }
}
