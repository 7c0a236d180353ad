// SPDX-License-Identifier: Apache-2.0

/// The error for a packed object, a manifest or a path that breaks the rules
/// of the format. The message names the file, if one is at fault.
///
/// Two errors are equal when their codes are.
package struct ContentFormatError: Error, Sendable {
    /// The rule that is broken.
    package enum Code: Sendable, Hashable {
        /// The object doesn't begin with ``ContentHead/magic``.
        case magic
        /// The manifest can't be read, or has other values than the format
        /// allows.
        case manifest
        /// A path isn't allowed.
        case path
        /// Two files have one path, or a file's path is also a folder's.
        case duplicate
        /// The object, the manifest or a list is larger than
        /// ``ContentLimits`` allows.
        case tooLarge
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ContentFormatError: Hashable {
    package static func == (left: ContentFormatError, right: ContentFormatError) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ContentFormatError: CustomStringConvertible {
    package var description: String { message }
}
