// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAssembly
import StoreDomain
import StoreService

extension SessionHost {
    /// Publishes the content in a folder, by the steps of an upload.
    ///
    /// - Throws: ``SKTestError``.
    func publish(_ folder: URL) throws {
        let source: PackedFolder
        do {
            source = try PackedFolder(folder.path)
        } catch {
            throw SKTestError(.fileNotFound, message: "\(folder.path) isn't a content package: \(error)")
        }
        do {
            try perform { [bundleIdentifier, storage, store] _ in
                let checksum = try storage.add(source)
                let begun = try await Control.UploadAnswer(
                    beginning: Control.BeginUploadCall(
                        bundle: bundleIdentifier, product: source.manifest.product, version: source.manifest.version,
                        bytes: source.bytes, checksum: checksum),
                    in: store.context)
                guard let upload = begun.upload else { return }
                var offset = begun.received
                while offset < source.bytes {
                    let part = try source.read(storage.partBytes, at: offset)
                    offset = try await Control.UploadAnswer(
                        receiving: part, of: upload, at: offset, in: store.context
                    ).received
                }
                _ = try await Control.ContentVersion(
                    publishing: Control.UploadCall(upload: upload), in: store.context)
            }
        } catch let error as SKTestError where error.code == .noTransactionFound {
            throw SKTestError(.invalidProductIdentifier, message: error.localizedDescription)
        } catch let error as SKTestError {
            throw SKTestError(.fileNotFound, message: error.localizedDescription)
        }
    }
}
