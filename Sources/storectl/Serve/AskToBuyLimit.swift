// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How long a request to buy waits for an approval: `24h`, `3d`.
struct AskToBuyLimit {
    var duration: Duration

    /// The longest time, ten years, in seconds.
    private static let longest: Int64 = 3650 * 86_400

    /// Reads the argument of `--ask-to-buy-limit`.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> AskToBuyLimit {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.count <= 11,
            let count = Int64(text.dropLast()), count > 0, count * unit <= longest
        else {
            throw ValidationError("--ask-to-buy-limit takes a time such as 24h or 3d, not \"\(text)\".")
        }
        return AskToBuyLimit(duration: .seconds(count * unit))
    }
}
