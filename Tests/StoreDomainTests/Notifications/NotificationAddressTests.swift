// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreDomain

/// The addresses that receive notifications.
struct NotificationAddressTests {
    @Test(
        "The store sends with https anywhere, and with http to its own computer in the sandbox",
        arguments: [
            "https://example.com/notify", "https://example.com:8443/a?b=c", "http://localhost:8000/",
            "http://127.0.0.1:80", "http://127.9.9.9/", "http://[::1]:8000/x",
        ])
    func allowed(url: String) throws {
        let address = try NotificationAddress(url, of: "com.example.fruit", in: .sandbox)
        #expect(address.url == url)
        let isProduction = (try? NotificationAddress(url, of: "", in: .production)) != nil
        #expect(isProduction == url.hasPrefix("https:"))
    }

    @Test(
        "Other addresses are refused",
        arguments: [
            "", "example.com", "ftp://example.com", "http://example.com/", "http://localhost.example.com/",
            "http://127.0.0.1.example.com/", "http://10.0.0.1/", "http://127.0.0/", "http://[::2]/",
            "https://user@example.com/", "https://user:word@example.com/", "https://example.com/#part",
            "https:///path", "https://example.com:0/", "https://example.com:70000/", "https://exa mple.com/",
            "https://example.com/\u{e9}", "https://example.com/" + String(repeating: "a", count: 1024),
            "http://localhost@example.com/", "javascript:alert(1)", "http://localhost\n/",
        ])
    func refused(url: String) {
        #expect(throws: DomainError(.invalid, "")) { try NotificationAddress(url, of: "", in: .sandbox) }
    }

    @Test("Addresses are added once, listed and removed, up to a number", arguments: Engine.stores)
    func changes(engine: Engine) async throws {
        try await engine.withStore { store in
            let addresses = ChangingNotificationAddresses(store.context)
            for _ in 0..<2 { try await addresses.add("https://b.example/", of: "com.example.fruit") }
            try await addresses.add("https://a.example/")
            #expect(try await addresses().map(\.url) == ["https://a.example/", "https://b.example/"])

            await #expect(throws: DomainError(.notFound, "")) { try await addresses.remove("https://b.example/") }
            try await addresses.remove("https://b.example/", of: "com.example.fruit")
            for number in 2...NotificationAddress.most { try await addresses.add("https://a.example/\(number)") }
            await #expect(throws: DomainError(.invalid, "")) { try await addresses.add("https://a.example/more") }
            try await addresses.add("https://a.example/")
            #expect(try await addresses().count == NotificationAddress.most)
        }
    }
}
