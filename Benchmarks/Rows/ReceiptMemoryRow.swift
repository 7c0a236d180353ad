// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The peak memory of verifying a receipt with 10,000 purchases.
struct ReceiptMemoryRow: Row {
    static let name = "receipt-memory"
    static let summary =
        "the most memory that verifying a receipt of 10,000 purchases takes, against the receipt's own length"

    /// The argument that makes this program measure itself.
    static let childArgument = "--verify-and-say-memory"

    /// Measures in a process of its own: this process has free memory from
    /// signing, whose use would not be counted.
    static func compare() async throws -> Comparison {
        let receipt = try ManyPurchases.receipt(10_000)
        let text = try await withTemporaryFolder { folder in
            let file = folder.appending(path: "receipt")
            let root = folder.appending(path: "root")
            try receipt.write(to: file)
            try ManyPurchases.receipt(1).write(to: URL(fileURLWithPath: file.path + ".small"))
            try BenchmarkStore.authority.get().rootCertificate.write(to: root)
            let output = Pipe()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [childArgument, file.path, root.path]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text
        }
        guard let taken = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkFailure("The process that verifies a receipt said \"\(text)\".")
        }
        return Comparison(taken, against: Double(receipt.count) / 1024, unit: "KiB")
    }

    /// Prints the KiB that the verification took. A receipt with one purchase
    /// is verified first, so that allocations that happen once are not
    /// counted.
    static func measure(receipt: String, root: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: receipt))
        let verifier = AppReceiptVerifier(roots: [try Data(contentsOf: URL(fileURLWithPath: root))])
        _ = try verifier.verify(Data(contentsOf: URL(fileURLWithPath: receipt + ".small")), expecting: .any)
        let before = try ResidentMemory.kibibytes("VmRSS")
        guard case .verified(let verified) = try verifier.verify(bytes, expecting: .any),
            verified.contents.inAppPurchases.count == 10_000
        else { throw BenchmarkFailure("A receipt with 10,000 purchases isn't verified.") }
        print(try ResidentMemory.kibibytes("VmHWM") - before)
    }
}
