// SPDX-License-Identifier: Apache-2.0

/// The version of this package.
package enum StoreVersion {
    package static let current = "0.1.0"
}
