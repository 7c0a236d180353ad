// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Logging
import StoreAPI
package import StoreDomain

/// A packed content that arrives from a browser.
///
/// Its bytes are checked while they pass, so that a wrong file is refused
/// before the rest of it arrives. At most one block of them is in memory.
package struct IncomingContent {
    /// The product that the package has to name.
    private let product: ProductIdentifier
    private let file: IncomingFile
    private let logger: Logger
    private var inspector = PackageInspector()
    /// The bytes that aren't written yet.
    private var block = Data()
    private var written: Int64 = 0

    private static let blockBytes = 512 << 10

    init(of product: ProductIdentifier, file: IncomingFile, logger: Logger) {
        self.product = product
        self.file = file
        self.logger = logger
    }

    /// The bytes that have arrived.
    package var bytes: Int64 { written + Int64(block.count) }

    /// Takes the next bytes.
    ///
    /// - Throws: `InvalidFields` for bytes that can't be published;
    ///   ``ContentStorageError``.
    package mutating func append(_ data: Data) async throws {
        do {
            guard bytes + Int64(data.count) <= ContentLimits.objectBytes else {
                throw PackedFile.tooLarge(bytes + Int64(data.count))
            }
            try inspector.consume(data)
            if let manifest = inspector.manifest, manifest.product != product.rawValue {
                throw InvalidFields.package(.otherProduct, manifest.product)
            }
            block.append(data)
            if block.count >= Self.blockBytes { try await flush() }
        } catch {
            throw refusal(error)
        }
    }

    /// The problem that an error is, for the page. A full disk is logged.
    private func refusal(_ error: any Error) -> any Error {
        if let error = error as? ContentStorageError, error.code == .full {
            logger.error("storage of content out of order", metadata: ["place": "connect", "error": "\(error)"])
        }
        return InvalidFields.problem(ofPackage: error) ?? error
    }

    private mutating func flush() async throws {
        guard !block.isEmpty else { return }
        try await file.write(block, at: written)
        written += Int64(block.count)
        block = Data()
    }

    /// Ends the arrival, and returns the facts that the check has read.
    ///
    /// - Throws: The errors of ``append(_:)``.
    mutating func finish() async throws -> PublishingContent.Checked {
        do {
            guard bytes > 0 else { throw InvalidFields.package(.missing) }
            try await flush()
            return try inspector.finish()
        } catch {
            throw refusal(error)
        }
    }

    /// Checks that the disk keeps ``IncomingFile/reserve`` bytes when a
    /// storage on it takes so many more.
    ///
    /// - Throws: ``ContentStorageError``.
    func requireRoom(for bytes: Int) async throws {
        try await file.requireRoom(for: Int64(bytes))
    }

    /// Reads a part of the bytes that have arrived.
    ///
    /// - Throws: ``ContentStorageError``.
    func read(_ count: Int, at offset: Int64) async throws -> Data {
        try await file.read(Int(min(Int64(count), written - offset)), at: offset)
    }
}

extension InvalidFields {
    /// The name of the field with the package.
    package static let packageField = "file"

    /// A problem of the package.
    static func package(_ kind: FieldProblem.Kind, _ detail: String? = nil) -> InvalidFields {
        InvalidFields(problems: [FieldProblem(field: packageField, kind: kind, detail: detail)])
    }

    /// The error of a package that is too large.
    package static var packageTooLarge: InvalidFields {
        let limit = Int(ContentLimits.objectBytes / 1_000_000)
        return InvalidFields(problems: [FieldProblem(field: packageField, kind: .fileTooLarge, limit: limit)])
    }

    /// The problem that an error of an upload is; `nil` for another error.
    package static func problem(ofPackage error: any Error) -> InvalidFields? {
        switch error {
        case let error as InvalidFields: error
        case let error as ContentFormatError:
            switch error.code {
            case .magic: package(.notPackage)
            case .tooLarge: packageTooLarge
            case .manifest, .path, .duplicate: package(.refusedPackage, error.message)
            }
        case let error as DomainError:
            switch error.code {
            case .invalid: package(.refusedPackage, error.message)
            case .exists: package(.otherBytes)
            case .quotaExceeded: package(.overQuota)
            default: nil
            }
        case let error as ContentStorageError where error.code == .full: package(.diskFull)
        default: nil
        }
    }
}
