// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("The folder of downloaded content")
struct CacheFolderTests {
    private let temporary: TemporaryFolder
    private let cache: CacheFolder

    init() throws {
        temporary = try TemporaryFolder()
        cache = CacheFolder(
            caches: temporary.url, bundleIdentifier: "com.example.fruit", device: "0123456789abcdef0123456789abcdef")
    }

    @Test("The folder of the app is marked as one of caches, once")
    func tag() throws {
        try cache.create(PosixFiles())
        let tag = temporary.path("com.example.fruit/StoreKit/CACHEDIR.TAG")
        let text = try String(contentsOfFile: tag, encoding: .utf8)
        #expect(text.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))

        // A tag of the user's own isn't replaced.
        try Data("Signature: another".utf8).write(to: URL(fileURLWithPath: tag))
        try cache.create(PosixFiles())
        #expect(try String(contentsOfFile: tag, encoding: .utf8) == "Signature: another")
    }

    @Test("Two devices of one user have folders of their own")
    func devices() {
        let other = CacheFolder(
            caches: temporary.url, bundleIdentifier: "com.example.fruit", device: "fedcba9876543210fedcba9876543210")
        #expect(cache.contents(of: "apple") != other.contents(of: "apple"))
        #expect(cache.partial(of: "1") != other.partial(of: "1"))
    }

    @Test("A product's folder has the product's name, if that is safe on every file system")
    func plainNames() {
        for product in ["apple", "com.example.fruit.Apple_2", "a-b"] {
            #expect(CacheFolder.name(of: product) == product)
        }
    }

    @Test(
        "Another product's folder is named by a checksum",
        arguments: ["", ".", "..", ".hidden", "a/b", "../../etc", "a\\b", "Äpfel", "a b", "a\u{0}", "%41"])
    func otherNames(_ product: String) {
        let name = CacheFolder.name(of: product)
        #expect(name.hasPrefix("%") && name.count == 65)
        #expect(name != CacheFolder.name(of: product + "x"))
    }

    @Test("A long name is a checksum, too")
    func longNames() {
        #expect(CacheFolder.name(of: String(repeating: "a", count: 200)).count == 200)
        #expect(CacheFolder.name(of: String(repeating: "a", count: 201)).count == 65)
    }

    @Test("The caches are those of XDG_CACHE_HOME if it is an absolute path, and of the home folder otherwise")
    func environment() throws {
        func caches(_ environment: [String: String]) throws -> String {
            let base = ["STOREKIT_BUNDLE_ID": "com.example.fruit", "HOME": "/home/ann"]
            return try AgentConfiguration(
                environment: base.merging(environment) { $1 }, logger: .silent
            ).caches.path
        }
        #expect(try caches([:]) == "/home/ann/.cache")
        #expect(try caches(["XDG_CACHE_HOME": "/var/tmp/caches"]) == "/var/tmp/caches")
        #expect(try caches(["XDG_CACHE_HOME": "caches"]) == "/home/ann/.cache")
        #expect(try caches(["XDG_CACHE_HOME": ""]) == "/home/ann/.cache")
    }
}
