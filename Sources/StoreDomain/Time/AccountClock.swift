// SPDX-License-Identifier: Apache-2.0

/// The time of an account: the wall's, moved by an offset. In production the
/// offset is zero.
package struct AccountClock: Hashable, Sendable {
    /// The difference to the wall's time, in milliseconds.
    package var offset: Int64
    /// The speed of the account's renewals.
    package var speed: RenewalSpeed

    package init(offset: Int64 = 0, speed: RenewalSpeed = .realTime) {
        self.offset = offset
        self.speed = speed
    }

    /// The account's time at a moment of the wall's.
    package func time(at moment: WallTime) -> StoreTime {
        StoreTime(milliseconds: moment.milliseconds + offset)
    }

    /// The wall's time at a moment of the account's.
    package func wallTime(of moment: StoreTime) -> WallTime {
        WallTime(milliseconds: moment.milliseconds - offset)
    }
}
