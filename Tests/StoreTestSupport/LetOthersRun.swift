// SPDX-License-Identifier: Apache-2.0

/// Lets other tasks run, in a loop that waits for a condition. A test that is
/// cancelled at its time limit would otherwise never end, and take the time of
/// the others.
///
/// - Throws: `CancellationError`.
package func letOthersRun() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
