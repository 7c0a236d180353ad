// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Parses server-sent events incrementally, by WHATWG HTML, "Parsing an event
/// stream", as far as a store's events need it. Comments and `retry` are
/// skipped, and an `id` is that of one event; lines end with LF, CR LF or CR.
struct ServerSentEventParser {
    /// The size of the largest event, in bytes.
    static let limit = AnswerBody.limit
    /// The largest number of data lines in one event. A store's events have
    /// one.
    static let lineLimit = 1000

    private var line: [UInt8] = []
    private var lastWasReturn = false
    private var name = ""
    private var data: [String] = []
    private var place: Int?
    private var size = 0

    /// Whether an event or a comment has begun and not ended.
    var isInEvent: Bool { !line.isEmpty || !data.isEmpty || !name.isEmpty }

    /// Returns the frames that these bytes complete.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer` when an
    ///   event is too large.
    mutating func frames(_ bytes: some Sequence<UInt8>) throws -> [StoreEventFrame] {
        var frames: [StoreEventFrame] = []
        for byte in bytes {
            switch byte {
            case 0x0A where lastWasReturn:
                break
            case 0x0A, 0x0D:
                if let frame = endLine() { frames.append(frame) }
                guard data.count <= Self.lineLimit else {
                    throw StoreFailure(.unreadableAnswer, "The store's event stream has an event of too many lines.")
                }
            default:
                line.append(byte)
                size += 1
                guard size <= Self.limit else {
                    throw StoreFailure(.unreadableAnswer, "The store's event stream has an event without an end.")
                }
            }
            lastWasReturn = byte == 0x0D
        }
        return frames
    }

    private mutating func endLine() -> StoreEventFrame? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endFrame() }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.hasPrefix(" ") { value = value.dropFirst() }
        switch parts[0] {
        case "event": name = String(value)
        case "data": data.append(String(value))
        case "id":
            place = Int(value)
            size -= min(size, line.count)
        // A comment (an empty name) or a field that isn't used.
        default: size -= min(size, line.count)
        }
        return nil
    }

    private mutating func endFrame() -> StoreEventFrame? {
        defer {
            name = ""
            data = []
            place = nil
            size = 0
        }
        return data.isEmpty ? nil : StoreEventFrame(name: name, data: data.joined(separator: "\n"), place: place)
    }
}
