// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Reads the body of an answer within limits of size, number of values and
/// time.
///
/// The HTTP client doesn't limit them: its deadline covers only the head of
/// the answer, and its read timeout starts again with every byte.
enum AnswerBody {
    /// The size of the largest answer, in bytes: a receipt of tens of
    /// thousands of purchases.
    static let limit = 16 << 20
    /// The size of the largest answer without lists and receipts, in bytes.
    static let smallLimit = 256 << 10

    /// The size of the largest answer to a message.
    static func limit(of path: StorePath) -> Int {
        [.register, .payments, .finish, .signOut, .content].contains(path) ? smallLimit : limit
    }

    /// Joins the parts of a body.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer` for a body
    ///   over a limit, ``LateAnswer``, and the errors of the sequence.
    static func read<Parts: AsyncSequence>(
        _ parts: Parts, limit: Int, isLate: @Sendable () -> Bool
    ) async throws -> Data where Parts.Element: Collection<UInt8> {
        var data = Data()
        for try await part in parts {
            guard !isLate() else { throw LateAnswer() }
            guard data.count + part.count <= limit else {
                throw StoreFailure(.unreadableAnswer, "The store's answer is larger than \(limit) bytes.")
            }
            data.append(contentsOf: part)
        }
        try JSONSize.check(data)
        return data
    }
}

/// The body of an answer wasn't complete at its deadline.
struct LateAnswer: Error {}
