// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The QR codes of authenticator apps. `Tests/Processes/test_connect.py` reads
/// those of the real program.
struct QRCodeTests {
    private static let drawing = "  ####  \n##    ##\n        \n########"

    /// A program of a line of the shell in a folder.
    private func program(_ line: String, in folder: TemporaryFolder, deadline: Duration = .beyondTests) throws
        -> QRCodeProgram
    {
        let path = folder.path("program")
        try TestProgram.write("cd '\(folder.url.path)'\n\(line)", to: path)
        return QRCodeProgram(path: path, deadline: deadline)
    }

    private func contents(of name: String, _ folder: TemporaryFolder) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path(name))), as: UTF8.self)
    }

    @Test("A program's drawing is a QR code, and the text isn't among the program's arguments")
    func drawn() async throws {
        let folder = try TemporaryFolder()
        let maker = try program("echo \"$@\" > arguments; cat > text; echo '\(Self.drawing)'", in: folder)
        let code = try await maker.code(of: "otpauth://totp/a?secret=ABC")
        let (dark, light) = (true, false)
        #expect(
            code.rows == [
                [light, dark, dark, light], [dark, light, light, dark], [light, light, light, light],
                [dark, dark, dark, dark],
            ])
        #expect(try contents(of: "text", folder) == "otpauth://totp/a?secret=ABC")
        #expect(try !contents(of: "arguments", folder).contains("ABC"))

        let image = ConsoleQRCode(code, text: "A code")
        #expect(image.codeSize == 4)
        #expect(image.codePath == "M1 0h2v1h-2zM0 1h1v1h-1zM3 1h1v1h-1zM0 3h4v1h-4z")
    }

    @Test(
        "Another output than a square drawing is no QR code",
        arguments: [
            "exit 0", "exit 1", "echo '####'", "echo '<svg/>'", "yes '####' | head -n 400", "yes", "sleep 20000",
        ])
    func wrong(line: String) async throws {
        let folder = try TemporaryFolder()
        let isEndless = ["yes", "sleep 20000"].contains(line)
        let maker = try program(line, in: folder, deadline: isEndless ? .seconds(1) : .beyondTests)
        let failure = await #expect(throws: ChildProgram.Failure.self) { try await maker.code(of: "a secret") }
        #expect(failure?.description.contains("secret") == false)
    }

    @Test("At most four codes are made at a time, and another one fails without a program")
    func most() async throws {
        let folder = try TemporaryFolder()
        let maker = try program(
            "cat > /dev/null; while [ ! -e go ]; do sleep 0.05; done; echo '\(Self.drawing)'", in: folder)
        let go = URL(fileURLWithPath: folder.path("go"))
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0...QRCodeProgram.most {
                group.addTask { (try? await maker.code(of: "a text")) != nil }
            }
            // The others wait for the file.
            let first = try await group.next()
            #expect(first == false)
            try Data().write(to: go)
            return try await group.reduce(into: 0) { count, isMade in count += isMade ? 1 : 0 }
        }
        #expect(made == QRCodeProgram.most)
        let next = try await maker.code(of: "a text")
        #expect(next.rows.count == 4)
    }

    @Test("A code has at most the modules of the largest version")
    func longest() {
        func rows(_ count: Int) -> [[Bool]] {
            [[Bool]](repeating: [Bool](repeating: true, count: count), count: count)
        }
        #expect(QRCode(rows: rows(QRCode.longest)) != nil)
        #expect(QRCode(rows: rows(QRCode.longest + 1)) == nil && QRCode(rows: []) == nil)
    }

    @Test(
        "A user's page has the code, and no image when the program fails; the log has no secret",
        arguments: [true, false])
    func page(works: Bool) async throws {
        let (folder, log) = (try TemporaryFolder(), RecordingLogHandler())
        let maker = try program(works ? "echo '\(Self.drawing)'" : "exit 3", in: folder)
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, log: log, qrCodes: maker)
            try await store.withHTTP { client in
                let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
                let path = "/connect/account"
                #expect(try await !browser.get(path).text.contains("<svg"))
                _ = try await browser.send(path, ["decision": "codes-begin", "password": TestStore.teamPassword])
                let page = try await browser.get(path)
                #expect(page.status == .ok && page.text.contains("<svg") == works)
                let secret = try #require(page.text.firstMatch(of: /secret=([A-Z2-7]+)/)?.1)
                #expect(log.lines.contains { $0.contains("a QR code can't be made") } == !works)
                #expect(!log.lines.contains { $0.contains(secret) })
            }
        }
    }
}
