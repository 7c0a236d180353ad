// SPDX-License-Identifier: Apache-2.0

extension StoreTime {
    /// The moment that is later by whole seconds.
    func adding(seconds: Int) -> StoreTime {
        StoreTime(milliseconds: milliseconds + Int64(seconds) * 1000)
    }
}
