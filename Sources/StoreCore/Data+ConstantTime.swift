// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Data {
    /// Compares without stopping at the first difference, so that the time of
    /// the comparison says nothing about a secret.
    package func equalsInConstantTime(_ other: Data) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
