// SPDX-License-Identifier: Apache-2.0

import StoreAPI

extension Download {
    /// Applies an input. An input that doesn't fit the phase changes nothing:
    /// the app and the transfer act at the same time, and the app's actions
    /// may be repeated.
    mutating func handle(_ input: Input) {
        switch input {
        case .offered(let offer): offered(offer)
        case .start(let turn, let hasContent): start(turn, hasContent: hasContent)
        case .pause: pause()
        case .resume(let turn): if phase == .paused || phase == .failed { enqueue(turn) }
        case .cancel: cancel()
        case .begin: begin()
        case .opened(let version, let length, let checksum): opened(version, length, checksum)
        case .progress(let received, let remaining): progress(received, remaining)
        case .failed(let failure, let keepsPartial): fail(failure, keepsPartial)
        case .finished(let folder): finish(folder)
        case .removedPartial: if hasRemains { hasPartial = false }
        case .closed: close()
        }
    }

    /// An offer replaces an earlier one until the app starts the download. It
    /// opens a download whose transaction is in the queue again.
    private mutating func offered(_ offer: ContentOffer) {
        if isClosed, phase == .cancelled { phase = .offered }
        isClosed = false
        guard phase == .offered else { return }
        version = offer.version
        length = offer.length
    }

    private mutating func start(_ turn: Int64, hasContent: Bool) {
        guard !isClosed else { return }
        switch phase {
        case .offered, .paused, .failed, .cancelled: enqueue(turn)
        case .finished where !hasContent:
            received = 0
            folder = nil
            enqueue(turn)
        case .queued, .active, .finished: break
        }
    }

    private mutating func enqueue(_ turn: Int64) {
        phase = .queued
        self.turn = turn
        failure = nil
        checksum = nil
    }

    private mutating func pause() {
        guard phase == .queued || phase == .active else { return }
        phase = .paused
        remaining = nil
    }

    private mutating func cancel() {
        guard phase != .finished else { return }
        phase = .cancelled
        received = 0
        remaining = nil
        failure = nil
        checksum = nil
    }

    private mutating func begin() {
        guard phase == .queued || phase == .active else { return }
        phase = .active
        remaining = nil
        hasPartial = true
    }

    private mutating func opened(_ version: String, _ length: Int64, _ checksum: String) {
        guard phase == .active else { return }
        // Another version starts over.
        received = version == self.version ? min(received, length) : 0
        self.version = version
        self.length = length
        self.checksum = checksum
    }

    private mutating func progress(_ received: Int64, _ remaining: Int64?) {
        guard phase == .active else { return }
        self.received = min(received, length)
        self.remaining = remaining
    }

    private mutating func fail(_ failure: DownloadFailure, _ keepsPartial: Bool) {
        guard phase == .active else { return }
        phase = .failed
        self.failure = failure
        remaining = nil
        guard !keepsPartial else { return }
        received = 0
        checksum = nil
        hasPartial = false
    }

    /// A download that was paused after its last byte is finished, too.
    private mutating func finish(_ folder: String) {
        guard phase == .active || phase == .paused || phase == .queued else { return }
        phase = .finished
        self.folder = folder
        received = length
        remaining = 0
    }

    /// The content of a finished download stays.
    private mutating func close() {
        cancel()
        isClosed = true
    }
}
