// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The packed content of the store, on the disk of its machine, as one process
/// uses it.
struct SimulatedStorage: ContentStorage {
    let life: ProcessLife
    let scheduler: Scheduler
    /// Called after every access, because the process or its machine may have
    /// ended in it.
    let look: @Sendable () -> Void

    /// Small parts, so that small contents have several.
    let partBytes = 2048

    private static let uploads = "content/uploads"
    private static let objects = "content/objects"

    private static func name(_ upload: UploadIdentifier) -> String { "\(uploads)/\(upload)" }
    private static func name(_ object: ContentObjectName) -> String { "\(objects)/\(object)" }

    /// Runs an access as a step of its own.
    private func use<T>(_ body: (SimulatedDisk) throws -> T) async throws -> T {
        await scheduler.turn()
        guard life.isAlive else { throw CancellationError() }
        let result = Result { try body(life.disk) }
        look()
        await scheduler.turn()
        do {
            return try result.get()
        } catch let failure as DiskFailure {
            let code: ContentStorageError.Code =
                switch failure {
                case .full: .full
                case .missing: .missing
                case .dead: .unavailable
                }
            throw ContentStorageError(code, "the store's disk: \(failure)")
        }
    }

    func append(_ part: Data, to upload: ContentUpload, at offset: Int64) async throws -> String {
        let name = Self.name(upload.identifier)
        try await use { disk in
            let isNew = offset == 0 && !disk.exists(name)
            let file = isNew ? try disk.makeFile(name, for: life) : try disk.file(name, for: life)
            guard file.bytes.count >= Int(offset) else { throw DiskFailure.missing }
            try part.withUnsafeBytes { try disk.write($0, to: file, at: Int(offset), for: life) }
            try disk.synchronise(file, named: name, for: life)
        }
        return ""
    }

    func read(_ upload: ContentUpload) async throws -> any ContentReader {
        try await use { disk in
            let name = Self.name(upload.identifier)
            return try reader(of: disk.exists(name) ? name : Self.name(upload.object), 0..<upload.bytes, disk)
        }
    }

    func complete(_ upload: ContentUpload) async throws {
        try await use { disk in
            let (name, object) = (Self.name(upload.identifier), Self.name(upload.object))
            if disk.exists(name) {
                try disk.move(name, to: object, for: life)
            } else if !disk.exists(object) {
                throw DiskFailure.missing
            }
            try disk.synchroniseNames(in: Self.uploads, for: life)
        }
    }

    func abandon(_ upload: ContentUpload) async throws {
        try await abandon(upload.identifier)
    }

    func abandon(_ upload: UploadIdentifier) async throws {
        try await remove(Self.name(upload))
    }

    func read(_ object: ContentObjectName, _ range: Range<Int64>) async throws -> any ContentReader {
        try await use { disk in try reader(of: Self.name(object), range, disk) }
    }

    func remove(_ object: ContentObjectName) async throws {
        try await remove(Self.name(object))
    }

    private func remove(_ name: String) async throws {
        try await use { disk in
            if disk.exists(name) { try disk.remove(name, synchronises: false, for: life) }
        }
    }

    func address(of object: ContentObjectName, until expires: WallTime) -> String? { nil }

    /// One page has all.
    func list(after last: StoredContent?) async throws -> [StoredContent] {
        guard last == nil else { return [] }
        return try await use { disk in
            func names(in folder: String) -> [String] {
                disk.files(in: folder).map { String($0.dropFirst(folder.count + 1)) }
            }
            return names(in: Self.uploads).map { .upload(UploadIdentifier($0)) }
                + names(in: Self.objects).map { .object(ContentObjectName($0)) }
        }
    }

    private func reader(of name: String, _ range: Range<Int64>, _ disk: SimulatedDisk) throws -> any ContentReader {
        let bytes = try disk.file(name, for: life).bytes.data
        guard range.upperBound <= bytes.count else { throw DiskFailure.missing }
        return Reader(bytes[Int(range.lowerBound)..<Int(range.upperBound)], scheduler)
    }

    /// Reads bytes of a file that doesn't change any more.
    private final class Reader: ContentReader, @unchecked Sendable {
        // because only the scheduler's thread touches it
        private var rest: Data
        private let scheduler: Scheduler

        private static let part = 4096

        init(_ bytes: Data, _ scheduler: Scheduler) {
            rest = bytes
            self.scheduler = scheduler
        }

        func next() async -> Data? {
            await scheduler.turn()
            guard !rest.isEmpty else { return nil }
            let part = rest.prefix(Self.part)
            rest = rest.dropFirst(part.count)
            return Data(part)
        }
    }
}
