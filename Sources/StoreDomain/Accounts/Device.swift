// SPDX-License-Identifier: Apache-2.0

/// A device that apps run on, which registers under a secret of its own.
/// Reading and writing its row is in Device+Persistence.swift.
package enum Device {}
