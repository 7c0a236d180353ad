// SPDX-License-Identifier: Apache-2.0

extension StoreTime {
    /// The moment that is later by whole seconds.
    func adding(seconds: Int) -> StoreTime {
        StoreTime(milliseconds: milliseconds + Int64(seconds) * 1000)
    }

    /// The moment without its fraction of a second, as a receipt has it.
    package var wholeSeconds: StoreTime {
        let fraction = milliseconds % 1000
        return StoreTime(milliseconds: milliseconds - (fraction < 0 ? fraction + 1000 : fraction))
    }
}
