// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAPI
import StoreBucket
import StoreDatabase
import StoreDomain

/// A failure in one sentence for an operator: the problem, and the remedy.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
    /// Whether the store didn't answer, or answered that it can't now.
    var isTemporary = false
    /// The code of the store's refusal; `nil` for every other failure.
    var code: StoreFailure.Code?

    init(_ description: String) {
        self.description = description
    }

    /// The failure of a call that the store has refused.
    init(_ refusal: StoreFailure, status: Int) {
        description = refusal.message
        code = refusal.code
        isTemporary = status >= 500
    }

    /// The failure of a call without an answer, which may be repeated.
    init(withoutAnswer description: String) {
        self.description = description
        isTemporary = true
    }
}

/// Runs a command's work. Prints a failure as one sentence on stderr, and
/// ends with exit status 1.
func run(_ work: () async throws -> Void) async throws {
    do {
        try await work()
    } catch let error as ExitCode {
        throw error
    } catch {
        say(sentence(for: error))
        throw ExitCode(1)
    }
}

func say(_ sentence: String) {
    FileHandle.standardError.write(Data("storectl: \(sentence)\n".utf8))
}

private func sentence(for error: any Error) -> String {
    switch error {
    case let error as CommandFailure: error.description
    case let error as DomainError: error.message
    case let error as DatabaseError: error.message
    case let error as ContentFormatError: error.message
    case let error as ContentStorageError where error.code == .full:
        "\(error.message). Make room, and run the command again: an upload goes on from the byte."
    case let error as ContentStorageError: error.message
    case let error as BucketSettingError: error.message
    case let error as CocoaError where error.code == .fileReadNoSuchFile:
        "There is no file \(error.filePath ?? "")."
    default: "\(error)"
    }
}
