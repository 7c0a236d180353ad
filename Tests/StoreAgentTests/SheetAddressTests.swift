// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("Which addresses of a sheet are shown", .timeLimit(.hang))
struct SheetAddressTests {
    private let plain = URL(string: "http://store.example:8080")
    private let secure = URL(string: "https://store.example")

    private func shown(_ text: String, from store: URL?) async throws -> [String] {
        let presenter = RecordingPresenter()
        try await SheetAddress(text, from: store).present(with: presenter)
        return presenter.sheets.value.map(\.absoluteString)
    }

    @Test(
        "An address of the web is shown as it was sent",
        arguments: [
            "http://127.0.0.1:8080/sheet/0a1b", "https://store.example/sheet/0a1b", "HTTPS://STORE.EXAMPLE/sheet/1",
            "http://[::1]:8080/sheet/1", "https://shop.example/a/b?sheet=1&language=de_DE#top",
            "https://xn--bcher-kva.example/sheet/%2Fa~b", "http://localhost/", "http://store",
        ])
    func web(_ text: String) async throws {
        #expect(try await shown(text, from: plain) == [text])
        #expect(try await shown(text, from: nil) == [text])
    }

    @Test("The host needn't be the one by which the app calls the store")
    func publicHost() async throws {
        let text = "https://shop.example/sheet/1"
        #expect(try await shown(text, from: URL(string: "https://store.internal:8443")) == [text])
    }

    @Test(
        "An option, a file, a script and everything else that isn't of the web is refused",
        arguments: [
            "", " ", "-", "--remote-debugging-port=1", "-h http://store.example/", "file:///etc/passwd",
            "file://store.example/etc/passwd", "/usr/bin/reboot", "sheet/1", "//store.example/sheet/1",
            "javascript:alert(1)", "data:text/html,hello", "ftp://store.example/sheet/1", "about:blank",
            "view-source:http://store.example/", "mailto:anna@store.example", "http:", "http:/etc/passwd", "http://",
            "http:///etc/passwd", "http://:8080/", "http://?", "http://-option/", "httpx://store.example/",
            "https:store.example", "http//store.example", "x-http://store.example/",
        ])
    func others(_ text: String) {
        #expect(throws: AgentError(.sheet, "")) { try SheetAddress(text, from: plain) }
        #expect(throws: AgentError(.sheet, "")) { try SheetAddress(text, from: nil) }
    }

    @Test(
        "Control characters, quotes and shell commands are refused",
        arguments: [
            "http://store.example/\n--option", "http://store.example/\r\nhello", "http://store.example/\u{1b}[2J",
            "http://store.example/\u{0}", "http://store.example/ --option", "http://store.example/\u{7f}",
            "http://store.example/`reboot`", "http://store.example/$(reboot)", "http://store.example/;reboot",
            "http://store.example/\"", "http://store.example/'", "http://store.example/|reboot",
            "http://store.example\\@other.example/",
            "http://store.example/\u{202e}", "http://bücher.example/", "\u{feff}http://store.example/",
            " http://store.example/", "http://store.example/\t",
        ])
    func characters(_ text: String) {
        #expect(throws: AgentError(.sheet, "")) { try SheetAddress(text, from: plain) }
    }

    @Test(
        "A user's name before the host is refused", arguments: ["http://store.example@other.example/", "http://a:b@c/"])
    func user(_ text: String) {
        #expect(throws: AgentError(.sheet, "")) { try SheetAddress(text, from: plain) }
    }

    @Test("A store with https shows no sheet without")
    func downgrade() async throws {
        #expect(throws: AgentError(.sheet, "")) { try SheetAddress("http://store.example/sheet/1", from: secure) }
        #expect(try await shown("https://store.example/sheet/1", from: secure) == ["https://store.example/sheet/1"])
    }

    @Test("An address has 2,048 bytes at most")
    func length() async throws {
        let start = "http://store.example/"
        let longest = start + String(repeating: "a", count: SheetAddress.limit - start.utf8.count)
        #expect(try await shown(longest, from: plain) == [longest])
        #expect(throws: AgentError(.sheet, "")) { try SheetAddress(longest + "a", from: plain) }
    }

    @Test("The error names the remedy, in one line and without the address's control characters")
    func message() {
        let text = "file:///\u{1b}[2J\n" + String(repeating: "x", count: 5000)
        let error = #expect(throws: AgentError.self) { try SheetAddress(text, from: plain) }
        let message = error?.message ?? ""
        #expect(message.contains("STOREKIT_STORE_URL") && message.contains("--public-url"), "\(message)")
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(message)")
        #expect(message.count < 700, "\(message.count) characters")
    }
}
