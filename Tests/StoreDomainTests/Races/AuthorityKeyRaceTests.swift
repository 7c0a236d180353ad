// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreDomain
import StoreTestSupport
import Testing

/// `authority encrypt` while another process changes the same authority.
struct AuthorityKeyRaceTests {
    @Test(
        "A change that meets a new key is refused, and no key of the old protection is left", arguments: Engine.allCases
    )
    func changing(engine: Engine) async throws {
        try await engine.withTwoDatabases { one, other in
            try await AuthorityParts.store(in: one, .plain)
            let changing = try AuthorityParts.rows(in: one, .plain)
            let encrypting = try AuthorityParts.rows(in: other, .plain)
            let key = try AuthorityParts.key()
            let before = try #require(try changing.read())

            let error = #expect(throws: DomainError.self) {
                try changing.change { record in
                    try encrypting.encrypt(with: key)
                    record.entries["leaf-1"] = record.entries["leaf"]
                    record.index.revision += 1
                }
            }

            #expect(error?.code == .authority)
            #expect(try AuthorityParts.rows(in: other).read() == before)
        }
    }

    @Test("Of two new keys that meet, the second is refused", arguments: Engine.allCases)
    func encrypting(engine: Engine) async throws {
        try await engine.withTwoDatabases { one, other in
            try await AuthorityParts.store(in: one, .plain)
            let first = try AuthorityParts.rows(in: other, .plain)
            let key = try AuthorityParts.key()
            let before = try #require(try first.read())
            // The second draws its random bytes between its read and its write.
            let generator = InterruptedGenerator { try first.encrypt(with: key) }
            let second = AuthorityRows(one, protection: .plain, random: RandomSource(generator))
            let otherKey = try AuthorityParts.key(String(repeating: "bb", count: 32))

            let error = #expect(throws: DomainError.self) { try second.encrypt(with: otherKey) }

            #expect(error?.code == .authority)
            #expect(try AuthorityParts.rows(in: one).read() == before)
        }
    }
}

/// A generator that runs code of a test before its first number.
private struct InterruptedGenerator: RandomNumberGenerator, Sendable {
    private var base = SeededGenerator(seed: 9)
    private var action: (@Sendable () throws -> Void)?

    init(_ action: @escaping @Sendable () throws -> Void) {
        self.action = action
    }

    mutating func next() -> UInt64 {
        if let action {
            self.action = nil
            do { try action() } catch { Issue.record(error) }
        }
        return base.next()
    }
}
