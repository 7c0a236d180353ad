// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService

/// Uploads a packed content, and goes on after a lost connection or a restart
/// of the store. A command that is repeated takes up the upload that an
/// earlier one has left.
struct ContentUploader {
    let store: ContentStore
    let source: any PackedSource
    let checksum: String
    let bundle: String

    /// The attempts that may fail one after another without a new part.
    private static let mostFailures = 10
    private static let longestPause = 5

    /// Uploads and publishes.
    ///
    /// - Throws: ``CommandFailure``, and the errors of the use cases.
    func callAsFunction() async throws -> Control.ContentVersion {
        let line = ProgressLine("Uploading")
        defer { line.end() }
        var failures = 0
        while true {
            var hasBegun = false
            do {
                let begun = try await begin()
                if let published = begun.published { return published }
                hasBegun = true
                return try await finish(begun) { received in
                    failures = 0
                    line.show(received, of: source.bytes)
                }
            } catch  where Self.mayRepeat(error, hasBegun: hasBegun) {
                failures += 1
                guard failures < Self.mostFailures else { throw error }
                try await Task.sleep(for: .seconds(min(failures, Self.longestPause)))
            }
        }
    }

    private func begin() async throws -> Control.UploadAnswer {
        let call = Control.BeginUploadCall(
            bundle: bundle, product: source.manifest.product, version: source.manifest.version, bytes: source.bytes,
            checksum: checksum)
        return try await store.call(.beginUpload, call) { context in
            try await Control.UploadAnswer(beginning: call, in: context)
        }
    }

    private func finish(
        _ begun: Control.UploadAnswer, progress: (Int64) -> Void
    ) async throws -> Control.ContentVersion {
        guard let upload = begun.upload else { throw CommandFailure("The store's answer names no upload.") }
        var answer = begun
        while answer.received < source.bytes {
            let part = try source.read(answer.partBytes, at: answer.received)
            answer = try await store.append(part, to: upload, at: answer.received)
            progress(answer.received)
        }
        let call = Control.UploadCall(upload: upload)
        return try await store.call(.publishUpload, call) { context in
            try await Control.ContentVersion(publishing: call, in: context)
        }
    }

    /// Whether beginning again may help: the store can't be reached, or
    /// another process has sent parts of the same upload or has ended it.
    private static func mayRepeat(_ error: any Error, hasBegun: Bool) -> Bool {
        switch error {
        case let failure as CommandFailure:
            let isRaced = failure.code == .contentOffset || failure.code == .notFound
            return failure.isTemporary || hasBegun && isRaced
        case let error as DomainError:
            return hasBegun && [.otherOffset, .notFound].contains(error.code)
        default: return false
        }
    }
}
