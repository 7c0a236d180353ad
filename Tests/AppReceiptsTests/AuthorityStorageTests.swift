// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import SwiftASN1
import Testing
import X509

@testable import AppReceipts

struct AuthorityStorageTests {
    private static let chainFiles = [
        "intermediate.key.pem", "intermediate.pem", "leaf.key.pem", "leaf.pem", "ocsp", "root.cer", "root.key.pem",
        "root.pem",
    ]
    private static let responderFiles = [
        "intermediate.key.pem", "intermediate.pem", "root.key.pem", "root.pem",
    ]

    @Test("A second load gives the same authority") func aSecondLoadGivesTheSameAuthority() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("new/pki")
        var random = SeededGenerator(seed: 10)

        let created = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let loaded = try SigningAuthority.loadOrCreate(directory: directory, using: &random)

        #expect(try created.bundlePEM == loaded.bundlePEM)
        #expect(created.verifier.accepts(try loaded.sign(Fixtures.receipt())))
        #expect(try Data(contentsOf: directory.appendingPathComponent("root.cer")) == created.rootCertificate)
        let trusted = try TrustRoots(pemOrDER: Data(contentsOf: directory.appendingPathComponent("root.pem")))
        #expect(trusted.certificates == [created.rootCertificate])
    }

    @Test("Only the owner can read the directories and the keys") func keysAreForTheirOwnerOnly() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 11)

        _ = try SigningAuthority.loadOrCreate(directory: directory, using: &random)

        let folders = [
            ("", (Self.chainFiles + ["jws"]).sorted()), ("jws", Self.chainFiles), ("ocsp", Self.responderFiles),
            ("jws/ocsp", Self.responderFiles),
        ]
        for (folder, files) in folders {
            let place = folder.isEmpty ? directory : directory.appendingPathComponent(folder)
            #expect(try permissions(of: place.path) == 0o700, "\(folder)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == files)
            for file in files where file.contains(".") {
                let expected = file.hasSuffix(".key.pem") ? 0o600 : 0o644
                #expect(try permissions(of: place.appendingPathComponent(file).path) == expected, "\(folder)/\(file)")
            }
        }
    }

    @Test("Four processes that start in parallel end with one authority")
    func startingAtOnceEndsWithOneAuthority() async throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        // The directory exists already and is empty, as an operator may have prepared it.
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)

        let authorities = try await withThrowingTaskGroup(of: String.self) { group in
            for seed in [20, 20, 21, 22] {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    return try SigningAuthority.loadOrCreate(directory: directory, using: &random).bundlePEM
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(authorities.count == 1)
        #expect(authorities == [try SigningAuthority(directory: directory).bundlePEM])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == ["pki"])
    }

    @Test("The record of a directory makes the same authority in another directory")
    func aRecordHoldsTheWholeAuthority() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 12)
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        for _ in 0..<2 {
            try authority.rotateLeaves(
                of: .production, now: Fixtures.date("2026-03-01T12:00:00Z"), publicAddress: nil, using: &random)
        }
        let record = try #require(try AuthorityFolder(directory).read())
        // Ten of two new chains, and two rotations of both leaves, of which the first has lost its keys.
        #expect(record.entries.count == 14)
        #expect(record.entries.values.count { $0.key == nil } == 2)

        let copy = AuthorityFolder(home.url.appendingPathComponent("copy"))
        let isStored = try copy.create(record, using: &random)
        let isStoredAgain = try copy.create(record, using: &random)
        #expect(isStored)
        #expect(!isStoredAgain)
        #expect(try copy.read() == record)

        let loaded = try SigningAuthority(in: copy)
        #expect(try loaded.bundlePEM == authority.bundlePEM)
        #expect(try loaded.leafSerialNumbers(of: .production) == authority.leafSerialNumbers(of: .production))
        #expect(try loaded.revision == 2)
    }

    @Test("A directory with other files is refused and left unchanged")
    func aDirectoryWithOtherFilesIsLeftAlone() throws {
        let home = try TemporaryFolder()
        let file = home.url.appendingPathComponent("notes.txt")
        try Data("mine".utf8).write(to: file)
        var random = SeededGenerator(seed: 30)

        #expect(throws: AppReceiptError(.authorityUnreadable, "")) {
            try SigningAuthority.loadOrCreate(directory: home.url, using: &random)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == ["notes.txt"])
    }

    @Test("A directory with the leaf of another authority is reported as damaged")
    func filesOfTwoAuthoritiesDoNotMakeOne() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededGenerator(seed: 31)
        _ = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let other = Fixtures.otherAuthority

        try Data(other.leaf.pem.utf8).write(to: directory.appendingPathComponent("leaf.pem"))
        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try SigningAuthority(directory: directory) }

        try Data(other.leaf.key.serializeAsPEM().pemString.utf8)
            .write(to: directory.appendingPathComponent("leaf.key.pem"))
        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try SigningAuthority(directory: directory) }
    }

    @Test("A rotated leaf of another authority never signs")
    func aLeafOfAnotherAuthorityIsNotUsed() throws {
        let home = try TemporaryFolder()
        let folder = AuthorityFolder(home.url.appendingPathComponent("pki"))
        var random = SeededGenerator(seed: 33)
        let authority = try SigningAuthority.loadOrCreate(directory: folder.directory, using: &random)
        let other = try Fixtures.otherAuthority.leaf

        _ = try folder.change { record in
            let leaf = AuthorityIndex.Leaf(
                slot: LeafSlot(purpose: .receipts, environment: .sandbox), serialNumber: other.serialNumber)
            record.index.leaves = [leaf]
            record.index.revision += 1
            record.entries[leaf.files.path] = .init(certificate: other.pem, key: try other.keyPEM)
        }

        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try authority.sign(Fixtures.receipt()) }
        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try SigningAuthority(in: folder) }
    }

    @Test("A directory that can't be written is reported as authorityNotWritable")
    func whatCanNotBeWrittenIsSaid() throws {
        let home = try TemporaryFolder()
        let file = home.url.appendingPathComponent("file")
        try Data().write(to: file)
        var random = SeededGenerator(seed: 32)

        #expect(throws: AppReceiptError(.authorityNotWritable, "")) {
            try SigningAuthority.loadOrCreate(directory: file.appendingPathComponent("pki"), using: &random)
        }
    }

    @Test("The error of a durable write carries the POSIX error underneath") func whyAFileCanNotBeMadeIsSaid() throws {
        let home = try TemporaryFolder()
        let file = home.url.appendingPathComponent("missing/key.pem")

        let error = try #require(throws: CocoaError.self) { try Data().writeDurably(to: file, permissions: 0o600) }

        #expect(error.code == .fileWriteUnknown)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ENOENT)
    }
}
