// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Finds the addresses of names.
package protocol NameResolver: Sendable {
    /// The addresses of a host, in the order in which they are tried. `team`
    /// is the one whose share of the look-ups it takes.
    ///
    /// - Throws: An error when the name has none, or when they aren't found
    ///   until the deadline.
    func addresses(of host: String, for team: String, until deadline: NIODeadline) async throws -> [IPAddress]
}
