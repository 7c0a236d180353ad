// SPDX-License-Identifier: Apache-2.0

/// A place where a test may end the process: called with `step:before` and
/// `step:after` around each step of a purchase. Does nothing by default.
package typealias FaultPoint = @Sendable (_ place: String) -> Void
