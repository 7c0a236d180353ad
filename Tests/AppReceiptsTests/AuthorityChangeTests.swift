// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing
import X509

@testable import AppReceipts

struct AuthorityChangeTests {
    private let now = Fixtures.date("2026-03-01T12:00:00Z")

    @Test("A rotation signs with a new leaf, and receipts of the old leaf stay valid")
    func rotatingKeepsOldReceiptsGood() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 60)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let before = try authority.sign(Fixtures.receipt())
        let old = try authority.leaf

        // Another process rotates.
        try SigningAuthority(directory: directory).rotateLeaves(
            of: .sandbox, now: now, publicAddress: nil, using: &random)

        let after = try authority.sign(Fixtures.receipt())
        #expect(try authority.leaf.der != old.der)
        #expect(try UnverifiedAppReceipt(parsing: after).certificates[0] == Data(authority.leaf.der))
        #expect(authority.verifier.accepts(before))
        #expect(authority.verifier.accepts(after))
        #expect(try SigningAuthority(directory: directory).leaf.der == authority.leaf.der)

        try authority.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let leaves = names.filter { $0.hasPrefix("leaf-") }
        // Two certificates, and the key of the one that signs.
        #expect(leaves.count { $0.hasSuffix(".key.pem") } == 1)
        #expect(leaves.count == 3)
    }

    @Test("Leaves that another process replaces while the folder is read are read again")
    func replacedWhileRead() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 72)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        try authority.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)

        // The index is read, and then the key of the leaf that it names is removed.
        var rotations = 0
        let record = try #require(
            try AuthorityFolder(directory).read {
                guard rotations < 2 else { return }
                rotations += 1
                try authority.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
            })

        #expect(rotations == 2)
        #expect(record.index.leaves.count == 2)
        for leaf in record.index.leaves { #expect(record.entries[leaf.files.path]?.key != nil) }
        #expect(record == (try AuthorityFolder(directory).read()))
    }

    @Test("The key of an old leaf that a killed process left is removed by the next change")
    func aChangeRemovesTheKeyThatAKilledProcessLeft() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 71)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        try authority.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
        let old = try authority.leafSerialNumbers(of: .sandbox).receipts
        let file = directory.appendingPathComponent("leaf-\(old).key.pem")
        let key = try Data(contentsOf: file)
        try authority.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)
        #expect(!FileManager.default.fileExists(atPath: file.path))

        // The state of a process that ended between the new index and the
        // removal.
        try key.write(to: file)
        try SigningAuthority(directory: directory).revoke(old, now: now)

        #expect(!FileManager.default.fileExists(atPath: file.path))
        let signing = try authority.leafSerialNumbers(of: .sandbox).receipts
        #expect(
            FileManager.default.fileExists(atPath: directory.appendingPathComponent("leaf-\(signing).key.pem").path))
    }

    @Test("Production has leaves of its own, which are due for rotation after 90 days")
    func productionHasLeavesOfItsOwnThatComeDue() throws {
        var random = SeededGenerator(seed: 61)
        let authority = try SigningAuthority.create(using: &random)
        var receipt = Fixtures.receipt()
        receipt.environment = .production
        #expect(try authority.needsRotation(at: now))
        #expect(try !authority.signsForProduction)

        try authority.rotateLeaves(of: .production, now: now, publicAddress: "http://store.example", using: &random)

        #expect(try authority.signsForProduction)
        #expect(try !authority.needsRotation(at: now.addingTimeInterval(89 * 86_400)))
        #expect(try authority.needsRotation(at: now.addingTimeInterval(90 * 86_400)))
        let production = try UnverifiedAppReceipt(parsing: authority.sign(receipt)).certificates[0]
        let sandbox = try UnverifiedAppReceipt(parsing: authority.sign(Fixtures.receipt())).certificates[0]
        #expect(production != sandbox)
        #expect(authority.verifier.accepts(try authority.sign(receipt)))
        receipt.creationDate = now.addingTimeInterval(365 * 86_400)
        #expect(throws: AppReceiptError(.notValidAtCreationDate, "")) { try authority.sign(receipt) }
        receipt.environment = .sandbox
        #expect(throws: Never.self) { try authority.sign(receipt) }
    }

    @Test("Two processes that find the leaves due rotate them once")
    func leavesThatAreDueRotateOnce() async throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 68)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let now = now

        let rotated = try await withThrowingTaskGroup(of: Bool.self) { group in
            for seed in [69, 70] {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    return try await SigningAuthority(directory: directory).rotateLeavesIfDue(
                        now: now, publicAddress: nil, using: &random)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(rotated.count { $0 } == 1)
        #expect(try authority.revision == 1)
        #expect(try !authority.needsRotation(at: now))
    }

    @Test("A new leaf carries the OCSP address that the authority was created with")
    func aNewLeafSaysTheAddressThatTheIntermediateSays() throws {
        var random = SeededGenerator(seed: 67)
        let authority = try SigningAuthority.create(
            profile: .sandbox(publicAddress: "http://store.example:8080"), using: &random)
        func address() throws -> Bool {
            try Data(authority.jwsLeaf.der).range(of: Data("http://store.example:8080/pki/ocsp".utf8)) != nil
        }
        #expect(try address())

        try authority.rotateLeaves(of: .sandbox, now: now, publicAddress: nil, using: &random)

        #expect(try address())
    }

    @Test("A revocation holds in every process and keeps its first date")
    func revokingIsSeenByEveryProcessAndStays() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 62)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        #expect(try authority.revokedCertificates == .none)
        let leaf = try authority.leafSerialNumbers(of: .sandbox).receipts

        try SigningAuthority(directory: directory).revoke(leaf, now: now)
        try SigningAuthority(directory: directory).revoke(leaf, now: now.addingTimeInterval(60))

        #expect(try authority.revocations == [Revocation(serialNumber: leaf, date: now, reason: .keyCompromise)])
        let verifier = AppReceiptVerifier(
            roots: [authority.rootCertificate], revoked: try authority.revokedCertificates)
        #expect(try verifier.verify(authority.sign(Fixtures.receipt()), expecting: .any).refusalCodes == [.revoked])
        #expect(throws: AppReceiptError(.unknownCertificate, "")) {
            try authority.revoke(SerialNumber(bytes: [1]), now: now)
        }
    }

    @Test("Four revocations that run in parallel are all kept") func changesAtOnceAreAllKept() async throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 63)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let numbers = [
            try authority.leaf.serialNumber, try authority.jwsLeaf.serialNumber, authority.intermediate.serialNumber,
            authority.jws.intermediate.serialNumber,
        ]

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask { try SigningAuthority(directory: directory).revoke(number, now: now) }
            }
            try await group.waitForAll()
        }

        #expect(Set(try authority.revocations.map(\.serialNumber)) == Set(numbers))
    }

    @Test("A directory of an older version gets the missing JWS and OCSP folders and keeps its root")
    func aDirectoryFromBeforeGetsWhatIsMissing() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 64)
        let created = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        for folder in ["jws", "ocsp"] {
            try FileManager.default.removeItem(at: directory.appendingPathComponent(folder))
        }
        #expect(throws: AppReceiptError(.authorityUnreadable, "")) { try SigningAuthority(directory: directory) }

        let completed = try SigningAuthority.loadOrCreate(directory: directory, using: &random)

        #expect(completed.rootCertificate == created.rootCertificate)
        #expect(completed.jwsRootCertificate != created.jwsRootCertificate)
        #expect(created.verifier.accepts(try completed.sign(Fixtures.receipt())))
        #expect(completed.jwsVerifier.accepts(try completed.sign(JWSTests.transaction)))
        #expect(try SigningAuthority(directory: directory).jwsRootCertificate == completed.jwsRootCertificate)
    }

    @Test("A key of the operator is used and isn't stored in the directory")
    func anOperatorsKeyIsUsedAndNotStored() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        let keyFile = home.url.appendingPathComponent("root.key")
        try Fixtures.otherAuthority.root.keyPEM.write(to: keyFile, atomically: false, encoding: .utf8)
        let keys = OperatorKeys.environment([
            "OPENSTOREKIT_KEY_ROOT_FILE": keyFile.path,
            "OPENSTOREKIT_KEY_JWS_INTERMEDIATE": try Fixtures.otherAuthority.jws.intermediate.keyPEM,
        ])
        var random = SeededGenerator(seed: 65)

        let authority = try SigningAuthority.loadOrCreate(directory: directory, keys: keys, using: &random)

        #expect(authority.root.certificate.publicKey == Fixtures.otherAuthority.root.certificate.publicKey)
        #expect(
            authority.jws.intermediate.certificate.publicKey
                == Fixtures.otherAuthority.jws.intermediate.certificate.publicKey)
        for name in ["root.key.pem", "jws/intermediate.key.pem"] {
            #expect(!FileManager.default.fileExists(atPath: directory.appendingPathComponent(name).path), "\(name)")
        }
        #expect(authority.jwsVerifier.accepts(try authority.sign(JWSTests.transaction)))
        #expect(throws: AppReceiptError(.authorityUnreadable, "")) { try SigningAuthority(directory: directory) }
        #expect(throws: Never.self) { try SigningAuthority(directory: directory, keys: keys) }
    }

    @Test("A damaged index is reported as authorityDamaged") func aDamagedIndexIsSaid() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 66)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)

        try Data("{}".utf8).write(to: directory.appendingPathComponent("index.json"))

        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try authority.sign(Fixtures.receipt()) }
        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try SigningAuthority(directory: directory) }
    }
}
