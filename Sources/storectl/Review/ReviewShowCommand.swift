// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct ReviewShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all that a seller has submitted of a product, with the seller's note.")

    @Argument(help: "The app's bundle identifier.")
    var bundle: String

    @Argument(help: "The product identifier.")
    var product: String

    @Option(help: "Write the screenshot to this file, a PNG or JPEG image. An existing file is kept.")
    var screenshot: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.ShowReviewCall(bundle: bundle, product: product, withScreenshot: screenshot != nil)
            var found: Control.SubmissionAnswer = try await store.call(.showReview, call) { context in
                try await Control.SubmissionAnswer(showing: call, in: context)
            }
            if let screenshot { try write(found.screenshot, to: screenshot) }
            found.screenshot?.bytes = nil
            if json { return try printJSON(found) }
            for line in Self.lines(found) { print(line) }
        }
    }

    private func write(_ image: Control.ScreenshotAnswer?, to path: String) throws {
        guard let bytes = image?.bytes else {
            throw CommandFailure("The product has no screenshot: ask its seller for one by storectl review reject.")
        }
        do {
            try bytes.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch {
            throw CommandFailure("\(path) can't be written: \(error.localizedDescription) Name another file.")
        }
    }

    /// The submission, one value a line. Control characters of a seller's
    /// texts don't reach the terminal.
    private static func lines(_ found: Control.SubmissionAnswer) -> [String] {
        var lines = [
            "app: \(found.app) (\(found.bundle)), of the team \(found.team)",
            "product: \(found.product), \(found.kind)", "state: \(found.state)", "version: \(found.version)",
        ]
        if let submitted = found.submitted {
            let date = Date(timeIntervalSince1970: TimeInterval(submitted) / 1000)
            lines.append("submitted: \(date.formatted(.iso8601))")
        }
        lines += found.values.map { "\($0.name): \($0.value)" }
        if let screenshot = found.screenshot {
            lines.append("screenshot: \(screenshot.type), \(screenshot.width) × \(screenshot.height)")
        }
        if let reason = found.reason { lines.append("rejected: \(reason)") }
        lines.append("note: \(found.note.isEmpty ? "none" : found.note)")
        return lines.map(printable)
    }

    /// A text without control characters, whose further lines are indented.
    private static func printable(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        }.joined(separator: "\n    ")
    }
}
