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
        var random = SeededRandom(seed: 10)

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
        var random = SeededRandom(seed: 11)

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
                    var random = SeededRandom(seed: UInt64(seed))
                    return try SigningAuthority.loadOrCreate(directory: directory, using: &random).bundlePEM
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(authorities.count == 1)
        #expect(authorities == [try SigningAuthority(directory: directory).bundlePEM])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == ["pki"])
    }

    @Test("A directory with other files is refused and left unchanged")
    func aDirectoryWithOtherFilesIsLeftAlone() throws {
        let home = try TemporaryFolder()
        let file = home.url.appendingPathComponent("notes.txt")
        try Data("mine".utf8).write(to: file)
        var random = SeededRandom(seed: 30)

        #expect(throws: AppReceiptError(.authorityUnreadable, "")) {
            try SigningAuthority.loadOrCreate(directory: home.url, using: &random)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == ["notes.txt"])
    }

    @Test("A directory with the leaf of another authority is reported as damaged")
    func filesOfTwoAuthoritiesDoNotMakeOne() throws {
        let home = try TemporaryFolder()
        let directory = home.url.appendingPathComponent("pki")
        var random = SeededRandom(seed: 31)
        _ = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let other = Fixtures.otherAuthority

        try Data(other.leaf.pem.utf8).write(to: directory.appendingPathComponent("leaf.pem"))
        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try SigningAuthority(directory: directory) }

        try Data(other.leaf.key.serializeAsPEM().pemString.utf8)
            .write(to: directory.appendingPathComponent("leaf.key.pem"))
        #expect(throws: AppReceiptError(.authorityDamaged, "")) { try SigningAuthority(directory: directory) }
    }

    @Test("A directory that can't be written is reported as authorityNotWritable")
    func whatCanNotBeWrittenIsSaid() throws {
        let home = try TemporaryFolder()
        let file = home.url.appendingPathComponent("file")
        try Data().write(to: file)
        var random = SeededRandom(seed: 32)

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
