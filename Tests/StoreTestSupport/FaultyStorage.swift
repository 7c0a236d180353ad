// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain
package import StoreService
import Synchronization

/// A folder of content with steps that a test lets fail: before the folder is
/// changed, as with a full disk, or after it, as if the process had ended.
package final class FaultyStorage: ContentStorage {
    package enum Step: Sendable {
        case append, complete, read, remove
    }

    /// A step that fails once.
    package struct Fault: Sendable {
        package var step: Step
        package var error: any Error & Sendable
        package var isAfterwards: Bool

        package init(_ step: Step, _ error: any Error & Sendable = Refusal(), isAfterwards: Bool = false) {
            self.step = step
            self.error = error
            self.isAfterwards = isAfterwards
        }

        /// No room on the disk.
        package static func full(_ step: Step) -> Fault {
            Fault(step, ContentStorageError(.full, "writing: no space left on device"))
        }
    }

    private let folder: FolderStorage
    private let faults = Mutex<[Fault]>([])

    package init(_ folder: FolderStorage) {
        self.folder = folder
    }

    /// Lets the next call of the fault's step fail.
    package func fail(_ fault: Fault) {
        faults.withLock { $0.append(fault) }
    }

    private func run<T>(_ step: Step, _ body: () async throws -> T) async throws -> T {
        let fault = faults.withLock { faults -> Fault? in
            guard let place = faults.firstIndex(where: { $0.step == step }) else { return nil }
            return faults.remove(at: place)
        }
        if let fault, !fault.isAfterwards { throw fault.error }
        let result = try await body()
        if let fault { throw fault.error }
        return result
    }

    package var partBytes: Int { folder.partBytes }

    package func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String {
        try await run(.append) { try await folder.append(part, to: upload, at: offset) }
    }

    package func read(_ upload: ContentUpload) async throws -> any ContentReader {
        try await run(.read) { try await folder.read(upload) }
    }

    package func complete(_ upload: ContentUpload) async throws {
        try await run(.complete) { try await folder.complete(upload) }
    }

    package func abandon(_ upload: ContentUpload) async throws {
        try await run(.remove) { try await folder.abandon(upload) }
    }

    package func abandon(_ upload: UploadIdentifier) async throws {
        try await run(.remove) { try await folder.abandon(upload) }
    }

    package func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader {
        try await run(.read) { try await folder.read(object, range) }
    }

    package func remove(_ object: ContentObjectName) async throws {
        try await run(.remove) { try await folder.remove(object) }
    }

    package func address(of object: ContentObjectName, until expires: WallTime) async throws -> String? { nil }

    package func list(after last: StoredContent?) async throws -> [StoredContent] {
        try await folder.list(after: last)
    }
}
