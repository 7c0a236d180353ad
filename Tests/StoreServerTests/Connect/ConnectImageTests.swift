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

/// The pages with images and promoted products.
struct ConnectImageTests {
    private static let app = "/connect/apps/\(TestStore.bundleIdentifier)"
    private static let image = TestImage.png(width: 1024, height: 1024)

    @Test("An image is uploaded, shown to the team with a fixed type, and promoted on the store's page")
    func whole() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await store.addItem(5, app: BundleIdentifier(TestStore.bundleIdentifier))
            let browser = try await ConnectBrowser(client, holder, store)
            let path = "\(Self.app)/products/apple/images"
            let form = ["decision": "upload", "purpose": "promotion"]
            let saved = try await browser.upload(path, form, file: Self.image, named: "promotion")
            #expect(saved.headers[.location] == "\(path)?done=saved")
            let answer = try await browser.get(path)
            #expect(answer.headers[.contentSecurityPolicy]?.contains("img-src 'self'") == true)
            let page = answer.text
            #expect(page.contains("enctype=\"multipart/form-data\"") && page.utf8.count < 80_000)
            let address = try #require(page.firstMatch(of: /img src="([^"]+)"/)?.1)
            let shown = try await browser.get(String(address))
            let sniffing = try #require(HTTPField.Name("X-Content-Type-Options"))
            #expect(shown.headers[.contentType] == "image/png" && shown.headers[sniffing] == "nosniff")
            #expect(shown.headers[.cacheControl] == "no-store" && Data(shown.body.readableBytesView) == Self.image)
            #expect(try await ConnectBrowser(client).get(String(address)).status != .ok)

            let promoted = try await browser.send(path, ["decision": "promote", "before": ""])
            #expect(promoted.headers[.location] == "\(Self.app)/promotion?done=saved")
            #expect(try await browser.get("\(Self.app)/promotion").text.contains("apple"))
            let item = try await client.get("/app/5/USA/en")
            let digest = try #require(address.split(separator: "/").last)
            #expect(item.text.contains("/artwork/5/\(digest)"))
            #expect(try await client.get("/artwork/5/\(digest)").headers[.contentType] == "image/png")
        }
    }

    @Test("Files that aren't images, and forms that can't be read, change nothing")
    func hostile() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let (path, form) = ("\(Self.app)/promotion", ["decision": "upload", "purpose": "icon"])
            for file in [Data(), Data("<svg onload=alert(1)>".utf8), Self.image.dropLast(4), Data(count: 6 << 20)] {
                let answer = try await browser.upload(
                    path, form, file: file, named: "icon", filename: "../../<script>.svg")
                #expect([.badRequest, .contentTooLarge].contains(answer.status), "\(file.count): \(answer.status)")
                #expect(!answer.text.contains("<script>.svg"))
            }
            let other = try await browser.upload(
                path, form, file: Self.image, named: "icon", origin: "https://other.example")
            #expect(other.status == .forbidden)
            let wrong = try await browser.upload(
                path, ["decision": "upload", "purpose": "review"], file: Self.image, named: "review")
            #expect(wrong.status == .badRequest)
            #expect(try await store.count("registration_image") == 0)
        }
    }

    @Test(
        "An upload of an image is refused to roles without the right, and to other teams", arguments: TeamRole.allCases)
    func uploads(role: TeamRole) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let user = role == .accountHolder ? holder : try await store.addUser(role, to: holder)
            let image = TestImage.png(width: 1024, height: 1024)
            let path = "/connect/apps/\(TestStore.bundleIdentifier)/promotion"
            let form = ["decision": "upload", "purpose": "icon"]
            let foreign = try await ConnectBrowser(client, other, store)
            #expect(try await foreign.upload(path, form, file: image, named: "icon").status == .notFound)
            let browser = try await ConnectBrowser(client, user, store)
            let answer = try await browser.upload(path, form, file: image, named: "icon")
            let isAllowed = role.may(.promoteProducts)
            #expect(answer.status == (isAllowed ? .seeOther : .forbidden))
            #expect(try await store.count("registration_image") == (isAllowed ? 1 : 0))
        }
    }
}
