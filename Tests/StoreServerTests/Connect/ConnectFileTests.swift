// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The page on which an app's `.storekit` file is compared and imported.
struct ConnectFileTests {
    private static let path = "/connect/apps/\(TestStore.bundleIdentifier)/file"

    @Test(
        "A file is uploaded, compared, imported and downloaded by the page, in three languages",
        arguments: Engine.servers, ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let form = try #require(PageLanguage(rawValue: language))
            let words = FileWords.words(form)
            let prices = [990, 1290].map { form.price(Money(milliunits: $0, currency: "USD")) }
            let empty = try await browser.get(Self.path)
            #expect(empty.text.contains("multipart/form-data") && !empty.text.contains("value=\"apply\""))
            #expect(try await browser.get("/pages/connect-upload.js").status == .ok)

            let file = TestStore.catalogue.replacing("0.99", with: "1.29")
            let sent = try await browser.upload(Self.path, ["decision": "upload", "others": "keep"], file: file)
            #expect(sent.status == .seeOther && sent.headers[.location] == Self.path)
            let shown = try await browser.get(Self.path)
            #expect(shown.text.contains(prices.joined(separator: " → ")) && shown.text.contains(words.changed))
            #expect(shown.text.utf8.count < 80_000)
            let version = try #require(shown.version)
            let applied = try await browser.send(Self.path, ["decision": "apply", "version": version])
            #expect(applied.headers[.location] == "\(Self.path)?done=imported")
            #expect(try await browser.get("\(Self.path)?done=imported").text.contains(words.imported))
            let download = try await browser.get("\(Self.path)/download")
            #expect(download.text == file && download.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            #expect(download.headers[.cacheControl] == "no-store")
        }
    }

    @Test("The page of a changed app shows the new differences and imports nothing", arguments: Engine.servers)
    func changed(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let file = TestStore.catalogue.replacing("0.99", with: "1.29")
            _ = try await browser.upload(Self.path, ["decision": "upload"], file: file)
            let version = try #require(try await browser.get(Self.path).version)
            try await SettingPrice(store.context)(
                "apple", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "5.55")
            let refused = try await browser.send(Self.path, ["decision": "apply", "version": version])
            #expect(refused.status == .conflict && refused.text.contains("$5.55 → $1.29"))
            #expect(try await store.registration("apple", as: holder).product.milliunits == 5550)
            let now = try #require(refused.version)
            #expect(try await browser.send(Self.path, ["decision": "apply", "version": now]).status == .seeOther)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 1290)
        }
    }

    @Test(
        "A file of many products and hostile names keeps the page small and its markup whole", arguments: Engine.servers
    )
    func hostile(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let attack = "\\\"><script>x</script>\(String(repeating: "&", count: 800))"
            let products = (0..<300).map { number in
                """
                { "displayPrice" : "1", "familyShareable" : false, "internalID" : "\(number)", "productID" : "p\(number)",
                  "referenceName" : "\(attack)", "type" : "Consumable", "localizations" : [
                    { "description" : "\(attack)", "displayName" : "\(attack)", "locale" : "en_US" } ] }
                """
            }
            let file = """
                { "products" : [\(products.joined(separator: ","))], "version" : { "major" : 2, "minor" : 0 } }
                """
            let sent = try await browser.upload(
                Self.path, ["decision": "upload"], file: file, named: "<script>\u{202E}x.storekit")
            #expect(sent.status == .seeOther)
            let page = try await browser.get(Self.path)
            #expect(page.text.utf8.count < 80_000 && page.text.contains("more."))
            #expect(!page.text.contains("<script>"))
            for bad in ["no JSON", "{ \"products\" : [ { \"productID\" : \"<script>\" } ] }"] {
                let refused = try await browser.upload(Self.path, ["decision": "upload"], file: bad)
                #expect(refused.status == .badRequest && !refused.text.contains("<script>"))
            }
            let large = try await browser.upload(
                Self.path, ["decision": "upload"], file: String(repeating: " ", count: AppFilePage.formLimit))
            #expect(large.status == .contentTooLarge)
        }
    }
}

extension ConnectBrowser {
    /// Sends a form with a file.
    func upload(
        _ path: String, _ fields: [String: String], file: String, named name: String = "fruit.storekit"
    ) async throws -> TestResponse {
        var parts = fields.sorted { $0.key < $1.key }.map { field in
            "--XX\r\nContent-Disposition: form-data; name=\"\(field.key)\"\r\n\r\n\(field.value)\r\n"
        }
        parts.append(
            "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n\(file)\r\n--XX--\r\n")
        return try await post(path, parts.joined(), type: "multipart/form-data; boundary=XX")
    }
}

extension TestResponse {
    /// The version of the changes that a page shows.
    var version: String? {
        text.firstMatch(of: /name="version" value="([0-9a-f]+)"/).map { String($0.1) }
    }
}
