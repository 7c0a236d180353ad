// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreAgent

/// The values that apps keep for an account, on several devices.
@Suite(.timeLimit(.hang))
struct KeyValueScenarioTests {
    @Test(
        "A value that the phone sets reaches a tablet that runs, and one that is started later",
        arguments: Engine.allCases)
    func reaches(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let tablet = try TestPhone(store)
            try await phone.signIn(anna)
            try await tablet.signIn(anna)
            try await tablet.launch { reader in
                let (news, heard) = AsyncStream.makeStream(of: KeyValueNews.self)
                reader.agent.observeKeyValues { heard.yield($0) }
                try reader.agent.synchronizeKeyValues()
                try await phone.launch { writer in
                    try writer.agent.setKeyValue(Data("7".utf8), for: "level")
                    #expect(try writer.agent.keyValues() == ["level": Data("7".utf8)])
                    for await item in news where item.keys == ["level"] { break }
                }
                #expect(try reader.agent.keyValues() == ["level": Data("7".utf8)])
            }

            let third = try TestPhone(store)
            try await third.signIn(anna)
            try await third.launch { app in
                let (news, heard) = AsyncStream.makeStream(of: KeyValueNews.self)
                app.agent.observeKeyValues { heard.yield($0) }
                try app.agent.synchronizeKeyValues()
                for await item in news {
                    #expect(item == KeyValueNews(reason: .initialSync, keys: ["level"]))
                    break
                }
            }
        }
    }

    @Test("A value set offline is there at the next launch, and reaches the account later", arguments: Engine.allCases)
    func offline(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try TestPhone(store)
            try await phone.signIn(try await store.addAccount())
            phone.wire.cut()
            try await phone.launch { app in try app.agent.setKeyValue(Data("7".utf8), for: "level") }
            phone.wire.mend()
            try await phone.launch { app in
                #expect(try app.agent.keyValues() == ["level": Data("7".utf8)])
                while try await store.count("key_value") == 0 { try await letOthersRun() }
            }
        }
    }

    @Test("Another account brings its own values, and says why", arguments: Engine.allCases)
    func otherAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try TestPhone(store)
            try await phone.signIn(try await store.addAccount())
            try await phone.launch { app in
                try app.agent.setKeyValue(Data("7".utf8), for: "level")
                while try await app.agent.journal.needsKeyValues() { try await letOthersRun() }
                #expect(try await store.count("key_value") == 1)
            }
            let berta = try await store.addAccount("berta@example.com")
            try await phone.launch(customer: { try await $0.buy($1, as: berta) }) { app in
                let (news, heard) = AsyncStream.makeStream(of: KeyValueNews.self)
                app.agent.observeKeyValues { heard.yield($0) }
                try app.buy("juice")
                for await item in news {
                    #expect(item == KeyValueNews(reason: .accountChange, keys: ["level"]))
                    break
                }
                #expect(try app.agent.keyValues().isEmpty)
            }
        }
    }

    @Test("A key that is too long, or a value beyond the limit, isn't set", arguments: Engine.allCases)
    func limits(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try TestPhone(store)
            try await phone.launch { app in
                let long = String(repeating: "é", count: 33)
                #expect(throws: AgentError.self) { try app.agent.setKeyValue(Data(), for: long) }
                try app.agent.setKeyValue(Data(count: 1 << 20), for: "large")
                #expect(throws: AgentError.self) { try app.agent.setKeyValue(Data(count: 1), for: "small") }
                try app.agent.setKeyValue(nil, for: "large")
                try app.agent.setKeyValue(Data(count: 1), for: "small")
                #expect(try app.agent.keyValues().keys.sorted() == ["small"])
            }
        }
    }
}
