// SPDX-License-Identifier: Apache-2.0

/// A function that use cases call with `step:before` and `step:after` around
/// the steps of a purchase, so that a test can end the process there. Does
/// nothing by default.
package typealias FaultHandler = @Sendable (_ place: String) -> Void
