// SPDX-License-Identifier: Apache-2.0

/// How many wrong passwords were typed for one subject, and when the next one
/// may be tried.
///
/// The first ``Subject/Kind/freeTries`` cost nothing; each one after them
/// doubles a pause, from one second to ``longestPause``. An hour without a
/// wrong password forgets all of them.
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

    static let longestPause: Duration = .seconds(15 * 60)
    static let memory: Duration = .seconds(60 * 60)

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
    /// A pause is never longer than the longest one: a clock that was ahead
    /// when it was written doesn't lock an account until that time.
    func wait(now: Instant) -> Duration? {
        guard now < blockedUntil, blockedUntil <= now + Self.longestPause else { return nil }
        return .milliseconds(blockedUntil.milliseconds - now.milliseconds)
    }

    /// Takes back what was counted for a password that turned out to be right.
    mutating func takeBack(now: Instant) {
        failures = max(0, failures - 1)
        blockedUntil = now
    }

    /// Counts one more failure.
    mutating func count(now: Instant) {
        let isForgotten = failed > now || failed < now - Self.memory
        failures = isForgotten ? 1 : failures + 1
        failed = now
        let beyond = failures - subject.kind.freeTries
        blockedUntil = beyond < 0 ? now : now + min(Self.longestPause, .seconds(1 << min(beyond, 20)))
    }
}
