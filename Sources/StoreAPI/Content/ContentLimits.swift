// SPDX-License-Identifier: Apache-2.0

/// The limits of a packed content object.
package enum ContentLimits {
    /// The largest packed object: head and files, 2 GiB.
    package static let objectBytes: Int64 = 2_147_483_648
    /// The largest manifest in bytes.
    package static let manifestBytes = 16 * 1_048_576
    /// The largest number of files.
    package static let files = 100_000
    /// The longest path in bytes of UTF-8.
    package static let pathBytes = 1024
    /// The longest name of a folder or file in bytes of UTF-8.
    package static let partBytes = 255
    /// The largest number of names in a path.
    package static let depth = 32
}

/// The number of bytes of a content's files, or of the packed object.
package enum ContentBytes: NumberLimit {
    package typealias Value = Int64
    package static let range: ClosedRange<Int64> = 0...ContentLimits.objectBytes
}

/// The number of files of a content.
package enum ContentFiles: NumberLimit {
    package typealias Value = Int
    package static let range: ClosedRange<Int> = 0...ContentLimits.files
}

/// The version of a content, such as `1.0`.
package enum ContentVersionText: TextLimit {
    package static let bytes = 1...100
}
