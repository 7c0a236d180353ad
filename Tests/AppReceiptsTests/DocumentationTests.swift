// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

/// Compiles the programs in the documentation, which have to be complete.
struct DocumentationTests {
    @Test(
        "The program of an article compiles without warnings",
        arguments: ["ValidateOnTheDevice", "ValidateOnYourServer"])
    func theProgramOfAnArticleCompiles(article: String) throws {
        let directory = try TemporaryFolder()
        var sources = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { sources.deleteLastPathComponent() }
        let text = try String(
            contentsOf: sources.appendingPathComponent("Sources/AppReceipts/AppReceipts.docc/\(article).md"),
            encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        let program = try #require(blocks.first)
        #expect(blocks.count == 1)
        let file = directory.url.appendingPathComponent("\(article).swift")
        try program.write(to: file, atomically: false, encoding: .utf8)

        // The compiled modules are in the folder of the running test binary.
        let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Modules")
        let result = try run(
            "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-I",
            modules.path, file.path)

        #expect(result.status == 0, "\(result.output)")
    }
}
