// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The verification of signed values on the device.
@Suite(.timeLimit(.hang))
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
        let (_, inOther): (TransactionPayload, [JWSVerifier.Refusal]) = try verifier.verify(
            info.signed, of: Device.bundle, in: .production)
        #expect(inOther.map(\.code) == [.wrongEnvironment])
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

    @Test("The value of a transaction of another product is not verified")
    func exchangedProduct() throws {
        var info = try SignedValues.transaction(Self.number, of: agent)
        info.productIdentifier = "pear"
        let verdict = agent.verdict(SignedRow(info, change: 1))
        #expect(verdict.failure == .invalidEncoding && verdict.payload?.productId == "pear")
    }

    @Test("A value that was signed after its certificate's end is not verified")
    func expired() throws {
        // The authority signs no such date: the payload is exchanged, and the date is judged before the signature.
        var late = try SignedValues.transaction(Self.number, of: agent)
        var parts = late.signed.split(separator: ".").map(String.init)
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        let json = String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
        let changed = json.replacing("\"signedDate\":1700000000000", with: "\"signedDate\":9000000000000")
        #expect(changed != json)
        parts[1] = Data(changed.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        late.signed = parts.joined(separator: ".")
        #expect(failure(late) == .invalidCertificateChain)
    }

    @Test("A value of another environment is not verified when the device knows the store's")
    func environment() async throws {
        let production = try SignedValues.transaction(Self.number, of: agent) { $0.environment = .production }
        let sandbox = try SignedValues.transaction(Self.number, of: agent)
        await agent.readRoots()
        #expect(failure(production) == nil && failure(sandbox) == nil)

        try await agent.journal.learn(environment: "Sandbox")
        await agent.readRoots()
        #expect(failure(production) == .missingRequiredProperties && failure(sandbox) == nil)
        let app = try SignedValues.app(of: agent) { $0.receiptType = .production }
        #expect(agent.verdict(app: app).failure == .missingRequiredProperties)

        try await agent.journal.learn(environment: "Production")
        await agent.readRoots()
        #expect(failure(production) == nil && failure(sandbox) == .missingRequiredProperties)
    }

    @Test("An app transaction is verified for its app and device only")
    func app() throws {
        let app = try SignedValues.app(of: agent)
        #expect(agent.verdict(app: app).failure == nil)
        let other = try SignedValues.app(of: agent) { $0.bundleId = "com.example.other" }
        #expect(agent.verdict(app: other).failure == .missingRequiredProperties)
        let unbound = try SignedValues.app(of: agent) { $0.deviceVerification = "" }
        #expect(agent.verdict(app: unbound).failure == .invalidDeviceVerification)
        let transaction = try SignedValues.transaction(Self.number, of: agent)
        #expect(agent.verdict(app: transaction.signed).failure == .missingRequiredProperties)
    }

    @Test("A renewal is verified beside the newest period of its own subscription only")
    func renewal() throws {
        let signed = try SignedValues.renewal(of: Self.number, on: agent)
        let row = SignedRenewalRow(transactionIdentifier: "8", group: "BASKETS", signed: signed)
        var period = TransactionPayload()
        period.transactionId = "8"
        period.originalTransactionId = Self.number
        period.subscriptionGroupIdentifier = "BASKETS"
        #expect(agent.verdict(row, of: period).failure == nil)

        for change: (inout TransactionPayload) -> Void in [
            { $0.originalTransactionId = "7" }, { $0.transactionId = "7" },
            { $0.subscriptionGroupIdentifier = "OTHER" }, { $0.subscriptionGroupIdentifier = nil },
        ] {
            var other = period
            change(&other)
            #expect(agent.verdict(row, of: other).failure == .invalidEncoding)
        }
        let unbound = try SignedValues.renewal(of: Self.number, on: agent) { $0.deviceVerificationNonce = nil }
        let second = SignedRenewalRow(transactionIdentifier: "8", group: "BASKETS", signed: unbound)
        #expect(agent.verdict(second, of: period).failure == .missingRequiredProperties)
    }

    @Test("Root certificates stay trusted while their file can't be read, and not when it has none")
    func unreadableFile() throws {
        let info = try SignedValues.transaction(Self.number, of: agent)
        let file = try Data(contentsOf: device.trust)
        #expect(failure(info) == nil)

        // A folder in the file's place can't be read, and a file without its end isn't a certificate.
        try FileManager.default.removeItem(at: device.trust)
        try FileManager.default.createDirectory(at: device.trust, withIntermediateDirectories: false)
        agent.verifier.readRoots()
        #expect(failure(info) == nil)
        try FileManager.default.removeItem(at: device.trust)
        try file.prefix(200).write(to: device.trust)
        agent.verifier.readRoots()
        #expect(failure(info) == nil)

        try Data("none".utf8).write(to: device.trust)
        agent.verifier.readRoots()
        #expect(failure(info) == .invalidCertificateChain)
        try file.write(to: device.trust)
        agent.verifier.readRoots()
        #expect(failure(info) == nil)
    }

    @Test("Without root certificates, no value is verified")
    func untrusted() throws {
        let agent = try device.process(ScriptedStore(), trusts: false).agent
        let info = try SignedValues.transaction(Self.number, of: agent)
        #expect(agent.verdict(SignedRow(info, change: 1)).failure == .invalidCertificateChain)
    }
}
