// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A growing byte buffer on plain memory. It is fast in debug builds, in
/// which the simulation reads and writes millions of pages.
final class ByteBuffer {
    private(set) var count = 0
    private var capacity = 0
    private var bytes: UnsafeMutableRawPointer?

    init() {}

    init(_ data: Data) {
        data.withUnsafeBytes { write($0, at: 0) }
    }

    func copy() -> ByteBuffer {
        let copy = ByteBuffer()
        copy.write(contents, at: 0)
        return copy
    }

    deinit { free(bytes) }

    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

    var data: Data { Data(contents) }

    /// Writes bytes at an offset, and fills a gap before it with zeros.
    func write(_ source: UnsafeRawBufferPointer, at offset: Int) {
        guard let start = source.baseAddress, !source.isEmpty else { return }
        if offset + source.count > count { resize(offset + source.count) }
        bytes?.advanced(by: offset).copyMemory(from: start, byteCount: source.count)
    }

    /// Reads the bytes that exist from an offset on.
    ///
    /// - Returns: the number of bytes read.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let length = min(target.count, count - offset)
        guard length > 0, let bytes, let start = target.baseAddress else { return 0 }
        start.copyMemory(from: bytes.advanced(by: offset), byteCount: length)
        return length
    }

    func resize(_ size: Int) {
        if size > capacity {
            capacity = max(size, capacity * 2, 8192)
            bytes = realloc(bytes, capacity)
        }
        if size > count, let bytes { memset(bytes.advanced(by: count), 0, size - count) }
        count = size
    }
}
