// SPDX-License-Identifier: Apache-2.0

/// How many wrong passwords were typed for one subject, and when the next one
/// may be tried.
///
/// The first ``Subject/Kind/freeTries`` cost nothing; each one after them
/// doubles a pause, from one second to ``longestPause``. An hour without a
/// wrong password forgets all of them.
///
/// Times come from the clocks of several processes, and a transaction with an
/// earlier time may commit after one with a later time.
struct SignInThrottle: Hashable, Sendable {
    /// What wrong passwords are counted for.
    struct Subject: Hashable, Sendable {
        enum Kind: String, Sendable {
            /// An e-mail address, whether it has an account or not.
            case account
            /// An e-mail address on the device that its account is signed in
            /// on: the failures of strangers don't count there.
            case accountOnDevice = "account-on-device"
            /// A device, whatever address is typed.
            case device

            var freeTries: Int64 { self == .device ? 10 : 5 }
        }

        var kind: Kind
        var name: String

        static func account(_ email: String) -> Subject { Subject(kind: .account, name: email) }
        static func device(_ device: DeviceIdentifier) -> Subject { Subject(kind: .device, name: device.rawValue) }

        static func account(_ email: String, on device: DeviceIdentifier) -> Subject {
            Subject(kind: .accountOnDevice, name: "\(device.rawValue) \(email)")
        }
    }

    /// A try that was counted, so that it can be taken back.
    struct Count: Hashable, Sendable {
        var subject: Subject
        /// The end of the pause before the try.
        var blockedBefore: Instant
        /// The end of the pause after it.
        var blockedUntil: Instant
    }

    static let longestPause: Duration = .seconds(15 * 60)
    static let memory: Duration = .seconds(60 * 60)
    /// Clocks that differ by less count as right.
    static let clockSkew: Duration = .seconds(60)

    var subject: Subject
    var failures: Int64 = 0
    var failed = Instant(milliseconds: 0)
    var blockedUntil = Instant(milliseconds: 0)

    init(subject: Subject) {
        self.subject = subject
    }

    init(subject: Subject, failures: Int64, failed: Instant, blockedUntil: Instant) {
        self.subject = subject
        self.failures = failures
        self.failed = failed
        self.blockedUntil = blockedUntil
    }

    /// How long the next try has to wait; `nil` when it needn't.
    ///
    /// It is never longer than the longest pause. A pause that ends later than
    /// that by more than ``clockSkew`` was written by a wrong clock and is
    /// ignored: it would lock an account until that clock's time.
    func wait(now: Instant) -> Duration? {
        guard failures >= subject.kind.freeTries, now < blockedUntil,
            blockedUntil <= now + Self.longestPause + Self.clockSkew
        else { return nil }
        return min(Self.longestPause, .milliseconds(blockedUntil.milliseconds - now.milliseconds))
    }

    /// Counts one more failure.
    ///
    /// Failures whose time is ahead by ``memory`` were written by a wrong clock
    /// and are forgotten.
    @discardableResult
    mutating func count(now: Instant) -> Count {
        let before = blockedUntil
        let isForgotten = failed >= now + Self.memory || failed < now - Self.memory
        failures = isForgotten ? 1 : failures + 1
        failed = isForgotten ? now : max(failed, now)
        let beyond = failures - subject.kind.freeTries
        if beyond >= 0 { blockedUntil = now + min(Self.longestPause, .seconds(1 << min(beyond, 20))) }
        return Count(subject: subject, blockedBefore: before, blockedUntil: blockedUntil)
    }

    /// Takes back a try whose password was right, or wasn't checked. The pause
    /// before it comes back, unless a later try has begun another.
    mutating func takeBack(_ count: Count) {
        failures = max(0, failures - 1)
        if blockedUntil == count.blockedUntil { blockedUntil = count.blockedBefore }
    }
}
