// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDatabase

/// Transfers one file from a seller's server, until it is complete or has
/// failed, or the app ends the download.
///
/// The journal has the entity tag and the number of bytes that are durable; a
/// later transfer removes the bytes after them, and goes on there. The bytes of
/// another object go to a file of another name.
///
/// A transfer has one of the app's slots during an attempt only. While it
/// pauses, another one runs.
struct BackgroundTransfer {
    private let synchronizer: StoreSynchronizer
    private let sequence: Int64
    private var backoff: Backoff
    private var reported: Int64?
    /// The number of bytes that are durable and in the journal.
    private var saved: Int64 = 0

    init(_ sequence: Int64, by synchronizer: StoreSynchronizer) {
        self.synchronizer = synchronizer
        self.sequence = sequence
        backoff = Backoff(synchronizer.random)
    }

    /// The app has ended the download.
    private struct Stopped: Error {}

    /// The server has another object, so that the transfer begins anew.
    private struct Changed: Error {}

    /// The shortest time between two reports, in milliseconds: the bytes are
    /// made durable before each.
    private static let pause: Int64 = 1000

    /// Runs the transfer.
    ///
    /// - Throws: `CancellationError`.
    mutating func run() async throws {
        while true {
            do {
                if try await attemptInTurn() { return }
            } catch is Stopped {
                return
            } catch {
                try Task.checkCancellation()
                guard try await goesOn(after: error) else { return }
            }
        }
    }

    /// Attempts the transfer as soon as a slot is free.
    ///
    /// - Returns: whether the transfer has ended; otherwise no slot was free
    ///   before the request's time limit.
    private mutating func attemptInTurn() async throws -> Bool {
        guard let file = try await synchronizer.journal.backgroundFile(sequence), file.phase == .running else {
            return true
        }
        try checkTime(of: file)
        let rest = Duration.milliseconds(file.deadline - synchronizer.clock.now)
        guard let slot = try await synchronizer.slots.enter(atMost: rest, synchronizer.clock) else { return false }
        defer { synchronizer.slots.leave(slot) }
        try await attempt()
        return true
    }

    private mutating func attempt() async throws {
        guard var file = try await synchronizer.journal.backgroundFile(sequence), file.phase == .running else { return }
        saved = file.received
        let folder = BackgroundFolder(file, in: synchronizer.cache)
        if file.generation > 0, synchronizer.files.size(of: folder.complete) != nil { return try await finish(file) }
        try prepare(&file)
        if file.received > 0, file.received == file.length { return try await install(file) }
        guard let address = URL(string: file.address) else {
            throw BackgroundFileFailure(.request, "The address can't be read. Cancel the download.")
        }
        let part = try await synchronizer.store.connection.file(
            FileRequest(address: address, fields: file.fields, offset: file.received, tag: file.tag))
        let isAnew = try check(part, of: file)
        if let length = part.length, length > BackgroundFile.sizeLimit { throw Self.tooLarge }
        if isAnew { try await begin(part, &file) }
        // A server may send the length only with a part.
        file.length = file.length ?? part.length
        try await receive(part, &file)
        try await install(file)
    }

    /// Removes bytes that aren't durable, or all when the transfer can't go
    /// on.
    private func prepare(_ file: inout BackgroundFile) throws {
        let partial = BackgroundFolder(file, in: synchronizer.cache).partial
        let size = synchronizer.files.size(of: partial) ?? 0
        guard file.tag != nil, size >= file.received else {
            file.received = 0
            return
        }
        if size > file.received { try synchronizer.files.cut(partial, to: file.received) }
    }

    /// - Returns: whether the answer is a whole file.
    private func check(_ part: FilePart, of file: BackgroundFile) throws -> Bool {
        switch part.status {
        case 200: return true
        case 206
        where file.received > 0 && part.tag == file.tag && part.offset == file.received
            && (file.length == nil || part.length == nil || part.length == file.length):
            return false
        case 206 where file.received > 0, 412 where file.received > 0, 416 where file.received > 0: throw Changed()
        case 408, 425, 429, 500...599:
            throw StoreFailure(
                .unavailable, "The seller's server answers with status \(part.status).", retryAfter: part.retryAfter)
        default:
            throw BackgroundFileFailure(
                .refused,
                "The server answers with status \(part.status). Check the address and the header fields of the request."
            )
        }
    }

    /// Begins a file of a new name.
    private mutating func begin(_ part: FilePart, _ file: inout BackgroundFile) async throws {
        let old = BackgroundFolder(file, in: synchronizer.cache).partial
        file.generation += 1
        (file.received, file.length, file.tag) = (0, part.length, part.tag)
        try synchronizer.cache.create(synchronizer.files)
        let folder = BackgroundFolder(file, in: synchronizer.cache)
        try synchronizer.files.makeFolder(folder.url)
        synchronizer.files.remove(old)
        try synchronizer.files.makeFile(folder.partial).close()
        try synchronizer.files.synchronise(folder: folder.url)
        try await save(file)
    }

    private mutating func receive(_ part: FilePart, _ file: inout BackgroundFile) async throws {
        let open = try synchronizer.files.openFile(BackgroundFolder(file, in: synchronizer.cache).partial)
        defer { open.close() }
        do {
            for try await bytes in part.bytes {
                try Task.checkCancellation()
                guard file.received + Int64(bytes.count) <= file.length ?? BackgroundFile.sizeLimit else {
                    throw Self.tooLarge
                }
                try open.write(bytes)
                file.received += Int64(bytes.count)
                try checkTime(of: file)
                try await report(file, open)
            }
        } catch let error where error is ConnectionFailure || error is AgentError {
            // A lost connection or a full disk leaves the bytes before it.
            if (try? open.synchronise()) != nil { try await save(file) }
            throw error
        }
        try Task.checkCancellation()
        try open.synchronise()
        try await save(file)
        guard file.received == file.length ?? file.received else {
            throw StoreFailure(.unavailable, "The file has ended after \(file.received) bytes.")
        }
    }

    private mutating func report(_ file: BackgroundFile, _ open: any WritableFile) async throws {
        let now = synchronizer.clock.now
        if let reported, (reported..<reported + Self.pause).contains(now) { return }
        reported = now
        try open.synchronise()
        try await save(file)
    }

    private mutating func save(_ file: BackgroundFile) async throws {
        let isRunning = try await synchronizer.journal.update(backgroundFile: sequence) { saved in
            (saved.received, saved.length, saved.tag) = (file.received, file.length, file.tag)
            saved.generation = file.generation
        }
        guard isRunning else { throw Stopped() }
        // The next attempt goes on behind these bytes.
        if file.tag != nil, file.received > saved { backoff.reset() }
        saved = file.received
        synchronizer.progressed()
    }

    /// Moves the complete file to its place.
    private func install(_ file: BackgroundFile) async throws {
        let folder = BackgroundFolder(file, in: synchronizer.cache)
        synchronizer.faults.before(.background)
        try synchronizer.files.rename(folder.partial, to: folder.complete)
        try synchronizer.files.synchronise(folder: folder.url)
        synchronizer.faults.after(.background)
        try await finish(file)
    }

    private func finish(_ file: BackgroundFile) async throws {
        // A process may have ended between the move and this.
        let folder = BackgroundFolder(file, in: synchronizer.cache)
        try synchronizer.files.synchronise(folder: folder.url)
        let size = synchronizer.files.size(of: folder.complete) ?? file.received
        try await synchronizer.journal.update(backgroundFile: sequence) { saved in
            (saved.phase, saved.received, saved.length) = (.finished, size, size)
        }
        synchronizer.changed()
    }

    private func checkTime(of file: BackgroundFile) throws {
        guard synchronizer.clock.now >= file.deadline else { return }
        throw BackgroundFileFailure(
            .timeLimit, "The file isn't complete after the request's time limit. Start the download again.")
    }

    /// Pauses before the next attempt, but not beyond the request's time limit.
    private mutating func pause() async throws {
        var pause = backoff.next()
        if let file = try await synchronizer.journal.backgroundFile(sequence) {
            pause = min(pause, .milliseconds(max(0, file.deadline - synchronizer.clock.now)))
        }
        try await synchronizer.clock.sleep(for: pause)
    }

    private static let tooLarge = BackgroundFileFailure(
        .tooLarge, "The file is longer than announced, or than \(BackgroundFile.sizeLimit) bytes. Correct the server.")

    /// Decides about an error, and pauses before the next attempt. An error of
    /// the journal is waited out too: each attempt is a request to the
    /// seller's server.
    ///
    /// - Returns: whether the transfer goes on.
    private mutating func goesOn(after error: any Error) async throws -> Bool {
        do {
            return try await decide(after: error)
        } catch let error as DatabaseError {
            synchronizer.logger.error("The journal can't be used for a background download: \(error). Trying again.")
            try await synchronizer.clock.sleep(for: backoff.next())
            return true
        }
    }

    private mutating func decide(after error: any Error) async throws -> Bool {
        let failure: BackgroundFileFailure
        switch error {
        case is DatabaseError: throw error
        case is Changed:
            return try await synchronizer.journal.update(backgroundFile: sequence) { file in
                (file.received, file.tag) = (0, nil)
            }
        case is StoreFailure, is ConnectionFailure:
            backoff.heed(error)
            try await pause()
            return true
        case let error as BackgroundFileFailure: failure = error
        case let error as AgentError: failure = BackgroundFileFailure(error)
        default: failure = BackgroundFileFailure(.file, PrintableText.of("\(error)"))
        }
        synchronizer.logger.info("A background download has failed: \(failure.message)")
        try await synchronizer.journal.update(backgroundFile: sequence) { file in
            (file.phase, file.failure) = (.failed, failure)
        }
        synchronizer.changed()
        return false
    }
}
