// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

/// The store whose content a command changes, whether it is running or not.
struct ContentStore: ParsableArguments {
    @OptionGroup var store: AdministeredStore
    @OptionGroup var options: ContentOptions

    /// Checking two gigabytes on a slow disk takes minutes.
    private static let timeout: TimeInterval = 15 * 60

    /// Sends a call to the running store, or makes the change in its database
    /// and its folder.
    ///
    /// - Throws: ``CommandFailure``, the errors of `change`.
    func call<Answer: Decodable>(
        _ verb: Control.Verb, _ call: some Encodable, orChange change: (StoreContext) async throws -> Answer
    ) async throws -> Answer {
        try await send(try ControlRequest(verb, call), orChange: change)
    }

    /// Sends a part of an upload.
    ///
    /// - Throws: ``CommandFailure``, the errors of `ReceivingUpload`.
    func append(_ part: Data, to upload: String, at offset: Int64) async throws -> Control.UploadAnswer {
        let request = ControlRequest(path: "\(Control.uploads)/\(upload)/\(offset)", body: part)
        return try await send(request) { context in
            try await Control.UploadAnswer(receiving: part, of: upload, at: offset, in: context)
        }
    }

    private func send<Answer: Decodable>(
        _ request: ControlRequest, orChange change: (StoreContext) async throws -> Answer
    ) async throws -> Answer {
        var request = request
        request.timeout = Self.timeout
        return try await store.send(request) { context in
            var context = context
            context.hosting = try await options.hosting(of: context, in: store.control.directory())
            return try await change(context)
        }
    }
}
