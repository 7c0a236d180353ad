// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreAgent

struct SharedEventStreamsTests {
    private func configuration(_ store: String?, app: String) -> AgentConfiguration {
        AgentConfiguration(
            storeURL: store.flatMap { URL(string: $0) }, bundleIdentifier: app, home: URL(fileURLWithPath: "/home"))
    }

    @Test("The apps of a store have one event stream, and connections of their own for everything else")
    func streams() throws {
        let streams = SharedEventStreams(clock: ManualClock().clock)
        func connection(_ store: String, _ app: String) throws -> SharedConnection {
            try #require(try streams.connection(of: configuration(store, app: app)) as? SharedConnection)
        }
        let fruit = try connection("http://store.example", "fruit")
        let garden = try connection("http://store.example", "garden")
        let elsewhere = try connection("http://other.example", "orchard")
        #expect(fruit.stream === garden.stream && fruit.stream !== elsewhere.stream)
        #expect(streams.count == 2)
        let (first, second) = (fruit.own as? HTTPStoreConnection, garden.own as? HTTPStoreConnection)
        #expect(first != nil && first !== second)
        #expect(try streams.connection(of: configuration(nil, app: "fruit")) is UnconfiguredConnection)
    }
}
