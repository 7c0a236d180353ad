// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The private file of a batch of codes, from which its codes are derived. The
/// store doesn't keep them.
struct CodeFile: Codable {
    /// The call that makes the batch.
    var call: Control.CreateCodesCall

    var batch: String { call.batch }

    init(_ call: Control.CreateCodesCall) {
        self.call = call
    }

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure``.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("The file \(path) can't be read.")
        }
        guard let file = try? JSONDecoder().decode(CodeFile.self, from: data) else {
            throw CommandFailure("The file \(path) is none that `storectl code create` has written.")
        }
        self = file
    }

    /// Writes a new file, which only its owner can read.
    ///
    /// - Throws: ``CommandFailure``, also when there is such a file.
    func create(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try PrivateFile.create(path, try encoder.encode(self))
    }

    /// The codes in the order of their numbers.
    var codes: [String] {
        if let code = call.code { return [OfferCodeText(typed: code)?.text ?? code] }
        guard let seed = call.seed else { return [] }
        return (0..<max(0, call.size ?? 1)).map { OfferCodeText(seed: seed, batch: batch, number: $0).text }
    }
}
