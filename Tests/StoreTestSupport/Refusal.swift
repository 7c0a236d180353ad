// SPDX-License-Identifier: Apache-2.0

/// An error that a test's closure throws.
package struct Refusal: Error, Equatable {
    package init() {}
}
