// SPDX-License-Identifier: Apache-2.0

/// The number of wrong passwords, of wrong codes, or of ordered messages for
/// one subject, and the time from which the next one may be tried.
///
/// The first ``Subject/Kind/freeTries`` tries don't have to wait. The last of
/// them and each later one, when wrong, begin a pause: one second at first,
/// then twice as long each time, up to ``longestPause``. After an hour
/// without a wrong password the count starts again.
///
/// Times come from the clocks of several processes, and a transaction with an
/// earlier time may commit after one with a later time.
struct SignInThrottle: Hashable, Sendable {
    /// The subject for which wrong passwords are counted.
    struct Subject: Hashable, Sendable {
        enum Kind: String, Sendable {
            /// An e-mail address, whether it has an account or not.
            case account
            /// An e-mail address on the device on which its account is signed
            /// in: wrong passwords that strangers type on other devices don't
            /// count there.
            case accountOnDevice = "account-on-device"
            /// A device, for all addresses that are typed on it.
            case device
            /// An account, for the texts that were typed as codes of offers and
            /// are none.
            case codesOfAccount = "codes-of-account"
            /// A device, for such texts of all accounts.
            case codesOnDevice = "codes-on-device"
            /// An e-mail address, for the messages that were ordered to it.
            case messages
            /// An account, for the messages that it has ordered to new
            /// addresses.
            case messagesOfAccount = "messages-of-account"
            /// A parent, for the messages about requests to buy.
            case requests
            /// The e-mail address of a user of Connect, for wrong passwords and
            /// wrong codes, whether it has a user or not.
            case teamUser = "team-user"
            /// Such an address in a browser in which its user has signed in before: a wrong password of another browser
            /// doesn't count there.
            case teamUserInBrowser = "team-user-in-browser"
            /// A user who is signed in, for the present password that a change asks for.
            case teamUserInSession = "team-user-in-session"

            var freeTries: Int64 {
                switch self {
                case .messages, .messagesOfAccount: 3
                case .account, .accountOnDevice, .teamUser, .teamUserInBrowser, .teamUserInSession: 5
                case .device, .codesOfAccount, .codesOnDevice, .requests: 10
                }
            }
        }

        var kind: Kind
        var name: String

        static func account(_ email: String) -> Subject { Subject(kind: .account, name: email) }
        static func device(_ device: DeviceIdentifier) -> Subject { Subject(kind: .device, name: device.rawValue) }

        static func teamUser(_ email: String) -> Subject { Subject(kind: .teamUser, name: email) }

        static func teamUser(_ email: String, in browser: TeamBrowser) -> Subject {
            Subject(kind: .teamUserInBrowser, name: "\(browser.hash) \(email)")
        }

        static func teamUser(signedIn user: TeamUser) -> Subject {
            Subject(kind: .teamUserInSession, name: user.identifier.rawValue)
        }

        static func messages(to email: String) -> Subject { Subject(kind: .messages, name: email) }

        static func messages(by account: AccountIdentifier) -> Subject {
            Subject(kind: .messagesOfAccount, name: account.rawValue)
        }

        static func requests(to parent: AccountIdentifier) -> Subject {
            Subject(kind: .requests, name: parent.rawValue)
        }

        static func codes(of account: AccountIdentifier) -> Subject {
            Subject(kind: .codesOfAccount, name: account.rawValue)
        }

        static func codes(on device: DeviceIdentifier) -> Subject {
            Subject(kind: .codesOnDevice, name: device.rawValue)
        }

        static func account(_ email: String, on device: DeviceIdentifier) -> Subject {
            Subject(kind: .accountOnDevice, name: "\(device.rawValue) \(email)")
        }
    }

    /// A counted try, which can be taken back.
    struct Count: Hashable, Sendable {
        var subject: Subject
        /// The end of the pause before the try.
        var blockedBefore: WallTime
        /// The end of the pause after the try.
        var blockedUntil: WallTime
    }

    static let longestPause: Duration = .seconds(15 * 60)
    static let memory: Duration = .seconds(60 * 60)
    /// The largest difference between clocks that count as right.
    static let clockSkew: Duration = .seconds(60)

    var subject: Subject
    var failures: Int64 = 0
    var failed = WallTime(milliseconds: 0)
    var blockedUntil = WallTime(milliseconds: 0)

    init(subject: Subject) {
        self.subject = subject
    }

    init(subject: Subject, failures: Int64, failed: WallTime, blockedUntil: WallTime) {
        self.subject = subject
        self.failures = failures
        self.failed = failed
        self.blockedUntil = blockedUntil
    }

    /// The time that the next try has to wait; `nil` when it can be made now.
    ///
    /// It is never longer than ``longestPause``. A pause that ends later than
    /// that by more than ``clockSkew`` was written by a wrong clock and is
    /// ignored: it would lock an account until that clock's time.
    func wait(now: WallTime) -> Duration? {
        guard failures >= subject.kind.freeTries, now < blockedUntil,
            blockedUntil <= now + Self.longestPause + Self.clockSkew
        else { return nil }
        return min(Self.longestPause, .milliseconds(blockedUntil.milliseconds - now.milliseconds))
    }

    /// Counts one more failure.
    ///
    /// Earlier failures are dropped when they are older than ``memory``, or
    /// when their time is ahead by ``memory``, which a wrong clock wrote.
    @discardableResult
    mutating func count(now: WallTime) -> Count {
        let before = blockedUntil
        let isForgotten = failed >= now + Self.memory || failed < now - Self.memory
        failures = isForgotten ? 1 : failures + 1
        failed = isForgotten ? now : max(failed, now)
        let beyond = failures - subject.kind.freeTries
        if beyond >= 0 { blockedUntil = now + min(Self.longestPause, .seconds(1 << min(beyond, 20))) }
        return Count(subject: subject, blockedBefore: before, blockedUntil: blockedUntil)
    }

    /// Takes back a try whose password was right, or wasn't checked. Restores
    /// the pause before it, unless a later try has begun another.
    mutating func takeBack(_ count: Count) {
        failures = max(0, failures - 1)
        if blockedUntil == count.blockedUntil { blockedUntil = count.blockedBefore }
    }
}
