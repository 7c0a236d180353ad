// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import Testing

@testable import StoreAgent

/// The journal's handling of the store's answers about values.
struct KeyValueJournalTests {
    private let journal: Journal
    private let level = KeyValueInfo(key: "level", value: Data("1".utf8).base64EncodedString())

    init() throws {
        journal = try Journal(try SQLiteDatabase(.memory), device: "phone")
    }

    @Test("A value that was taken for an account that has signed out meanwhile isn't the next one's")
    func takenForAnother() async throws {
        try journal.write(level, now: 0)
        let (call, wanted) = try await journal.keyValueQuestion(of: "com.example.fruit")
        #expect(call.writes.map(\.key) == ["level"] && call.position == nil)

        // The answer to the first try was lost; this one is to a repeat.
        let answer = KeyValuesCall.Answer(isWhole: true, position: EventPosition(account: "berta", number: 1))
        try await journal.keyValuesAnswered(answer, to: call, wanted: wanted)

        #expect(try journal.keyValues().isEmpty)
        #expect(try await !journal.needsKeyValues())
    }

    @Test("A value that is set while the store answers stays, and is sent next")
    func setMeanwhile() async throws {
        try journal.write(level, now: 0)
        let (call, wanted) = try await journal.keyValueQuestion(of: "com.example.fruit")
        try journal.write(KeyValueInfo(key: "level", value: nil), now: 0)
        try journal.write(KeyValueInfo(key: "name", value: level.value), now: 0)

        let answer = KeyValuesCall.Answer(
            values: [level], isWhole: true, position: EventPosition(account: "anna", number: 1))
        try await journal.keyValuesAnswered(answer, to: call, wanted: wanted)

        #expect(try journal.keyValues() == ["name": Data("1".utf8)])
        let (next, _) = try await journal.keyValueQuestion(of: "com.example.fruit")
        #expect(next.writes.map(\.key) == ["level", "name"])
    }

    @Test("A journal that was removed numbers its writes where the one before has ended")
    func removedJournal() async throws {
        for now in 1...3 as ClosedRange<Int64> { try journal.write(level.with(value: now), now: 1000) }
        let last = try #require(try await journal.keyValueQuestion(of: "com.example.fruit").0.writes.first?.sequence)

        let new = try Journal(try SQLiteDatabase(.memory), device: "phone")
        try new.write(level, now: 60_000)

        let first = try #require(try await new.keyValueQuestion(of: "com.example.fruit").0.writes.first?.sequence)
        #expect(first > last && last == 1002)
    }
}

extension KeyValueInfo {
    fileprivate func with(value: Int64) -> KeyValueInfo {
        KeyValueInfo(key: key, value: Data("\(value)".utf8).base64EncodedString())
    }
}
