// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The images, the promoted products and the agreements of Connect's API.
struct ConnectAPIImageTests {
    private static let app = "apps/\(TestStore.bundleIdentifier)"

    @Test("A program sets images, reads them and removes them", arguments: Engine.servers)
    func images(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let square = TestImage.png(width: 1024, height: 1024)
            let screenshot = TestImage.png(width: 640, height: 920)
            for (path, image) in [
                ("icon", square), ("products/apple/image", square), ("products/apple/screenshot", screenshot),
            ] {
                let path = "\(Self.app)/\(path)"
                #expect(try await program.send(.get, path).status == .notFound)
                for _ in 0..<2 {
                    let set = try await program.send(.put, path, file: image)
                    #expect(try set.status == .ok && set.object()["type"] as? String == "image/png", "\(set.text)")
                }
                let shown = try await program.send(.get, path)
                #expect(shown.headers[.contentType] == "image/png" && shown.headers[.cacheControl] == "no-store")
                #expect(Data(shown.body.readableBytesView) == image)
                for wrong in [Data(), Data("<svg onload=alert(1)>".utf8), TestImage.png(width: 9, height: 9)] {
                    let refused = try await program.send(.put, path, file: wrong)
                    #expect(try refused.status == .badRequest && refused.problems.count == 1, "\(refused.text)")
                }
                let large = try await program.send(.put, path, file: Data(count: RegistrationImage.largest + 1))
                #expect(large.status == .contentTooLarge)
                for _ in 0..<2 { #expect(try await program.send(.delete, path).status == .noContent) }
                #expect(try await program.send(.get, path).status == .notFound)
            }
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.filter { $0.kind == .imageChanged && $0.user.hasPrefix("API key ") }.count == 6)
        }
    }

    @Test("A program promotes products, orders and hides them", arguments: Engine.servers)
    func promotions(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .marketing, of: holder, store)
            let path = "\(Self.app)/promotions"
            var tag = try await program.send(.get, path).headers[.eTag]
            let bare = try await program.send(
                .post, path, "{\"change\": \"add\", \"product\": \"apple\"}", tag: tag)
            #expect(bare.status == .badRequest)
            try await store.registerProduct(by: holder)
            for product in ["apple", "banana"] { _ = try await store.addImages(of: product, by: holder) }
            let first = tag
            for (change, product) in [("add", "apple"), ("add", "banana"), ("up", "banana"), ("hide", "apple")] {
                let done = try await program.send(
                    .post, path, "{\"change\": \"\(change)\", \"product\": \"\(product)\"}", tag: tag)
                #expect(done.status == .ok, "\(done.text)")
                tag = done.headers[.eTag]
            }
            let late = try await program.send(
                .post, path, "{\"change\": \"remove\", \"product\": \"apple\"}", tag: first)
            #expect(late.status == .conflict && late.headers[.eTag] == tag)
            let list = try #require(try late.saved()["promotions"] as? [[String: Any]])
            #expect(list.map { $0["product"] as? String } == ["banana", "apple"])
            #expect(list.map { $0["visible"] as? Bool } == [true, false] && list[0]["image"] is String)
            let unknown = try await program.send(.post, path, "{\"change\": \"turn\"}", tag: tag)
            #expect(try unknown.problems == ["change unknown"])
        }
    }

    @Test("A program saves the forms, which answers mask, and accepts no contract", arguments: Engine.servers)
    func agreements(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            _ = try await store.setUpTeam()
            let holder = try await store.setUpTeam("other", holder: "holder@other.example")
            try await PublishingContract(store.context)("Sellers get 70 percent.", days: 0)
            let program = try await ConnectProgram(client, .accountHolder, of: holder, store)
            let empty = try await program.send(.get, "agreements")
            #expect(try empty.object()["missing"] as? [String] == ["acceptance", "bank", "tax"])
            let contract = try await program.send(.get, "agreements/contracts/1")
            #expect(contract.text == "Sellers get 70 percent.")
            #expect(try await program.send(.get, "agreements/contracts/9").status == .notFound)
            #expect(try await program.send(.post, "agreements/contracts/1", "{}").status == .methodNotAllowed)

            let bank = "{\"holder\": \"Flora\", \"iban\": \"DE89 3704 0044 0532 0130 00\"}"
            let saved = try await program.send(.put, "agreements/bank", bank, tag: empty.headers[.eTag])
            #expect(saved.status == .ok && !saved.text.contains("0532"), "\(saved.text)")
            // The same call again, as after a lost answer.
            #expect(try await program.send(.put, "agreements/bank", bank, tag: empty.headers[.eTag]).status == .ok)
            let tax = """
                {"legalName": "Flora", "address": "A street\\n1010 Vienna", "country": "AUT", "taxNumber": "ATU12345"}
                """
            let late = try await program.send(.put, "agreements/tax", tax, tag: empty.headers[.eTag])
            #expect(late.status == .conflict && late.headers[.eTag] == saved.headers[.eTag])
            let both = try await program.send(.put, "agreements/tax", tax, tag: saved.headers[.eTag])
            #expect(both.status == .ok && !both.text.contains("ATU12345"), "\(both.text)")
            #expect(try both.object()["missing"] as? [String] == ["acceptance"])
            let wrong = try await program.send(
                .put, "agreements/bank", "{\"holder\": \"\", \"iban\": \"DE00\"}", tag: both.headers[.eTag])
            #expect(try wrong.problems == ["holder missing", "iban malformed"])
            #expect(try await store.service.agreementReader.agreements(as: holder).accepted == nil)
        }
    }
}
