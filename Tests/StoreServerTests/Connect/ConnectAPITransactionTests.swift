// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The transactions of Connect's API.
struct ConnectAPITransactionTests {
    @Test("A program finds a purchase, refunds it once and sends its notification again", arguments: Engine.servers)
    func whole(engine: Engine) async throws {
        let receiver = RecordedNotifications()
        try await engine.withHTTP(notifications: receiver) { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .support, of: holder, store)
            let (anna, _, apple) = try await store.buyWithNotification()
            for query in [
                "", "?app=\(TestStore.bundleIdentifier)&state=valid", "?search=\(apple)", "?search=\(anna.email)",
            ] {
                let list = try await program.send(.get, "transactions\(query)").object()
                let found = list["transactions"] as? [[String: Any]]
                #expect(found?.map { $0["transaction"] as? String } == [apple.rawValue], "\(query)")
            }
            let path = "transactions/\(apple)"
            let record = try await program.send(.get, path).object()
            #expect(record["tester"] as? String == anna.email && record["left"] as? String == "0.99")
            #expect((record["signed"] as? String)?.split(separator: ".").count == 3)
            let notifications = try #require(record["notifications"] as? [[String: Any]])
            #expect(notifications.map { $0["type"] as? String } == ["ONE_TIME_CHARGE"])

            let refund = "\(path)/refunds/\(String(repeating: "5e", count: 16))"
            let tooMuch = try await program.send(.put, refund, "{\"amount\": \"99\"}")
            #expect(try tooMuch.status == .badRequest && tooMuch.problems == ["amount too-large"])
            #expect(try await program.send(.put, "\(path)/refunds/1", "{}").code == "invalid")
            for _ in 0..<2 {
                let refunded = try await program.send(.put, refund, "{\"amount\": \"0.50\"}")
                #expect(
                    try refunded.status == .ok && refunded.object()["left"] as? String == "0.49", "\(refunded.text)")
            }
            let identifier = try #require(notifications[0]["notification"] as? String)
            let attempts = "\(path)/notifications/\(identifier)/attempts"
            #expect(try await program.send(.post, attempts).status == .noContent)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            #expect(receiver.kinds.filter { $0 == "ONE_TIME_CHARGE" }.count == 2)
            #expect(try await program.send(.post, "\(path)/notifications/unknown/attempts").status == .notFound)
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.filter { $0.kind == .purchaseRefunded }.count == 1)
        }
    }

    @Test("Lists have pages, and wrong filters are refused", arguments: Engine.servers)
    func pages(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .finance, of: holder, store)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            for number in 0..<52 {
                let bought = try await phone.buy("apple", request: "\(number)", as: anna)
                try await phone.finish(bought.transactionIdentifier)
            }
            let first = try await program.send(.get, "transactions").object()
            #expect((first["transactions"] as? [Any])?.count == 50)
            let next = try #require(first["next"] as? String)
            let rest = try await program.send(.get, "transactions?before=\(next)").object()
            #expect((rest["transactions"] as? [Any])?.count == 2 && rest["next"] == nil)
            #expect(try await program.send(.get, "transactions?state=lost").problems == ["state unknown"])
            #expect(try await program.send(.get, "transactions?before=x").problems == ["before malformed"])
            #expect(try await program.send(.get, "transactions?app=com.other").status == .notFound)
            #expect(try await program.send(.get, "transactions/1").status == .notFound)
        }
    }
}
