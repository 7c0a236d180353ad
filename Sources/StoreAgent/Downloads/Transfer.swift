// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDatabase

/// Transfers the content of one download, until it is finished or has failed,
/// or the app stops it.
struct Transfer {
    private let synchronizer: StoreSynchronizer
    private let download: Download
    /// The version to ask for; `nil` for the newest one.
    private var version: String?
    /// The version that was asked for last, or that the last address is of.
    private var asked: String?
    /// The version after whose refusal the newest one was asked for.
    private var refused: String?
    private var partial: PartialContent?
    private var backoff: Backoff
    private var meter = TransferMeter()
    /// Whether the journal has the version that is transferred.
    private var isOpened = false
    /// Whether bytes were damaged once, and all were transferred again.
    private var hasStartedOver = false

    init(_ download: Download, by synchronizer: StoreSynchronizer) {
        self.synchronizer = synchronizer
        self.download = download
        version = download.checksum == nil ? nil : download.version
        backoff = Backoff(synchronizer.random)
    }

    /// The app has paused or cancelled the download, or finished its
    /// transaction.
    private struct Stopped: Error {}

    /// Runs the transfer.
    ///
    /// - Throws: `CancellationError`, `DatabaseError`.
    mutating func run() async throws {
        defer { partial?.close() }
        while true {
            do {
                return try await attempt()
            } catch is Stopped {
                return
            } catch let error as DatabaseError {
                throw error
            } catch {
                try Task.checkCancellation()
                guard try await goesOn(after: error) else { return }
            }
        }
    }

    private mutating func attempt() async throws {
        let call = ContentCall(transaction: download.transaction, version: version)
        asked = version
        let answer = try await synchronizer.store.call(call)
        try answer.check(for: download)
        version = answer.version
        // The address is of this version, which the store may remove.
        asked = answer.version
        if partial?.answer.checksum != answer.checksum {
            partial?.close()
            isOpened = false
            partial = try PartialContent(in: try await synchronizer.contentFolder(of: download, answer), of: answer)
        }
        try await report()
        while let range = partial?.missing { try await fetch(range, of: answer) }
        try await finish(answer)
    }

    /// The largest number of bytes between two missing parts that are
    /// received rather than requested again.
    private static let gap: Int64 = 1 << 18

    private mutating func fetch(_ range: Range<Int64>, of answer: ContentAnswer) async throws {
        guard !range.isEmpty else { throw DamagedContent("The content's head is longer than the content.") }
        let request = ContentRequest(address: answer.address, range: range, checksum: answer.checksum)
        let part = try await synchronizer.store.connection.content(request)
        guard part.checksum == nil || part.checksum == answer.checksum, part.offset <= range.lowerBound else {
            throw StoreFailure(.unreadableAnswer, "The store has sent another content than it has announced.")
        }
        var position = part.offset
        for try await bytes in part.bytes {
            try Task.checkCancellation()
            try partial?.take(bytes, at: position)
            position += Int64(bytes.count)
            backoff.reset()
            try await report()
            guard let next = partial?.next, next < range.upperBound, next - position <= Self.gap else { return }
        }
        try Task.checkCancellation()
        throw StoreFailure(.unavailable, "The content has ended after \(position) of \(range.upperBound) bytes.")
    }

    /// Saves the version and the progress, if a report is due.
    private mutating func report() async throws {
        guard let partial, let progress = partial.progress else { return }
        let length = progress.head.manifest.fileBytes
        if !isOpened {
            let answer = partial.answer
            try await save(.opened(version: answer.version, length: length, checksum: answer.checksum))
            if answer.version != download.version, download.received > 0 {
                synchronizer.logger.notice(
                    "The content of \(download.product) starts over with version \(answer.version).")
            }
            isOpened = true
        }
        if let report = meter.report(progress.received, of: length, at: synchronizer.clock.now) {
            try await save(.progress(received: report.received, remaining: report.remaining))
        }
    }

    private func save(_ input: Download.Input) async throws {
        let saved = try await synchronizer.journal.handle(download: download.identifier, input)
        guard saved?.phase == .active else { throw Stopped() }
        synchronizer.progressed()
    }

    private mutating func finish(_ answer: ContentAnswer) async throws {
        try partial?.verify()
        guard let partial else { return }
        let (journal, contents) = (synchronizer.journal, synchronizer.cache.contents(of: download.product))
        synchronizer.faults.before(.content)
        let name = try partial.folder.install(answer.checksum, into: contents)
        synchronizer.faults.after(.content)
        try await journal.finish(download: download.identifier, version: answer.version, folder: name)
        synchronizer.changed()
        try await synchronizer.removeOldContents(of: download.product)
        try await synchronizer.removePartial(of: download.identifier)
    }

    /// Decides about an error, and pauses before the next attempt.
    ///
    /// - Returns: whether the transfer goes on.
    private mutating func goesOn(after error: any Error) async throws -> Bool {
        synchronizer.logger.info("The content of \(download.product) isn't complete: \(error)")
        backoff.heed(error)
        let asksForVersion = asked != nil && asked != refused
        switch TransferDecision(after: error, asksForVersion: asksForVersion, hasStartedOver: hasStartedOver) {
        case .retry:
            try await synchronizer.clock.sleep(for: backoff.next())
        case .takeNewest:
            refused = asked
            version = nil
        case .startOver:
            hasStartedOver = true
            discard()
        case .fail(let failure, let keepsPartial):
            if keepsPartial {
                partial?.folder.removeReserve()
            } else {
                discard()
            }
            try await synchronizer.journal.handle(
                download: download.identifier, .failed(failure, keepsPartial: keepsPartial))
            synchronizer.changed()
            return false
        }
        return true
    }

    /// Removes all files, to start over or because they are of no use.
    private mutating func discard() {
        partial?.close()
        partial = nil
        synchronizer.remove(synchronizer.cache.partial(of: download.identifier))
    }
}
