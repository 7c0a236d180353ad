// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreAPI
package import StoreDomain

// The calls about hosted content, of a store that may be running or not.

extension Control.ContentsAnswer {
    /// Lists a page.
    ///
    /// - Throws: The errors of `ListingContent`.
    package init(listing call: Control.ContentsCall, of context: StoreContext) async throws {
        let last = call.after.map {
            ListingContent.Position(product: ProductIdentifier($0.product), version: $0.version)
        }
        self.init(
            contents: try await ListingContent(context)(of: BundleIdentifier(call.bundle), after: last)
                .map(Control.ContentVersion.init))
    }
}

extension Control.UploadAnswer {
    /// Begins an upload, or finds the one to be continued.
    ///
    /// - Throws: `ContentFormatError` `tooLarge`, the errors of
    ///   `BeginningUpload`.
    package init(beginning call: Control.BeginUploadCall, in context: StoreContext) async throws {
        guard call.bytes <= ContentLimits.objectBytes else { throw PackedFile.tooLarge(call.bytes) }
        if let refusal = ContentVersionText.refusal(of: call.version) {
            throw DomainError(.invalid, "The version of a content \(refusal).")
        }
        let wanted = BeginningUpload.Wanted(
            bundleIdentifier: BundleIdentifier(call.bundle), productIdentifier: ProductIdentifier(call.product),
            version: call.version, bytes: call.bytes, checksum: call.checksum)
        let hosting = try context.requireHosting()
        switch try await BeginningUpload(context)(wanted) {
        case .upload(let upload): self.init(upload, in: hosting)
        case .published(let content):
            self.init(
                received: content.bytes, partBytes: hosting.storage.partBytes,
                published: Control.ContentVersion(content))
        }
    }

    /// Receives a part of an upload.
    ///
    /// - Throws: The errors of `ReceivingUpload`.
    package init(
        receiving part: Data, of upload: String, at offset: Int64, in context: StoreContext
    ) async throws {
        let hosting = try context.requireHosting()
        self.init(try await ReceivingUpload(context)(part, of: UploadIdentifier(upload), at: offset), in: hosting)
    }
}

extension Control.ContentVersion {
    /// Checks an upload that has all its bytes, and publishes it.
    ///
    /// - Throws: The errors of `PublishingContent`, and `DomainError`
    ///   `invalid` or `ContentFormatError` for a content that is refused,
    ///   which name the file.
    package init(publishing call: Control.UploadCall, in context: StoreContext) async throws {
        self.init(
            try await PublishingContent(context)(UploadIdentifier(call.upload)) { reader in
                try await PackageInspector.check(reader)
            })
    }
}

extension Control.ContentVersion {
    /// Uploads and publishes a packed content within this process.
    ///
    /// - Throws: The errors of the other calls, and of the source.
    package init(publishing source: some PackedSource, of bundle: String, in context: StoreContext) async throws {
        var answer = try await Control.UploadAnswer(
            beginning: Control.BeginUploadCall(
                bundle: bundle, product: source.manifest.product, version: source.manifest.version,
                bytes: source.bytes, checksum: try source.checksum()), in: context)
        guard let upload = answer.upload else {
            guard let published = answer.published else { throw ReceivingUpload.unknown }
            self = published
            return
        }
        while answer.received < source.bytes {
            let part = try source.read(answer.partBytes, at: answer.received)
            answer = try await Control.UploadAnswer(
                receiving: part, of: upload, at: answer.received, in: context)
        }
        self = try await Control.ContentVersion(publishing: Control.UploadCall(upload: upload), in: context)
    }
}

extension Control.AbandonUploadAnswer {
    /// Ends an upload and removes its bytes.
    ///
    /// - Throws: The errors of `ReceivingUpload.abandon`.
    package init(abandoning call: Control.UploadCall, in context: StoreContext) async throws {
        try await ReceivingUpload(context).abandon(UploadIdentifier(call.upload))
        self.init(upload: call.upload)
    }
}

extension Control.ContentsAnswer {
    /// Removes versions, and returns them.
    ///
    /// - Throws: The errors of `RemovingContent`.
    package init(removing call: Control.RemoveContentCall, from context: StoreContext) async throws {
        let removed = try await RemovingContent(context)(
            ProductIdentifier(call.product), of: BundleIdentifier(call.bundle), version: call.version)
        self.init(contents: removed.map(Control.ContentVersion.init))
    }
}

extension StoreService {
    func controlContent(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .beginUpload:
            let call = try decode(Control.BeginUploadCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.UploadAnswer(beginning: call, in: context))
        case .publishUpload:
            let call = try decode(Control.UploadCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.ContentVersion(publishing: call, in: context))
        case .abandonUpload:
            let call = try decode(Control.UploadCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.AbandonUploadAnswer(abandoning: call, in: context))
        case .removeContent:
            let call = try decode(Control.RemoveContentCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.ContentsAnswer(removing: call, from: context))
        default:
            let call = try decode(Control.ContentsCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.ContentsAnswer(listing: call, of: context))
        }
    }

    /// The most bytes of a part of an upload; 0 for a store without a storage.
    package var uploadPartBytes: Int { context.hosting?.storage.partBytes ?? 0 }

    /// Receives a part of an upload of the remote control.
    ///
    /// - Throws: `StoreFailure`, and no other error.
    package func receive(part: Data, of upload: String, at offset: String) async throws -> Data {
        do {
            try requireCurrentSchema()
            guard let offset = Int64(offset) else {
                throw StoreFailure(.malformed, "The offset of a part is a number.")
            }
            return try encode(
                try await Control.UploadAnswer(receiving: part, of: upload, at: offset, in: context))
        } catch {
            throw failure(of: error, at: "control/upload")
        }
    }
}
