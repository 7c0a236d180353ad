// SPDX-License-Identifier: Apache-2.0

package import Logging

extension Logger {
    /// A logger that writes nothing.
    package static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}
