// SPDX-License-Identifier: Apache-2.0

/// A message on the daemon's socket: one line of JSON with one of these
/// members. Members that a version doesn't know are ignored, so that the
/// first line of every version can be read.
struct DaemonLine: Codable, Sendable {
    /// The first line of each connection: the version of the program that
    /// has connected.
    var version: DaemonVersion?
    /// With the version: the bundle identifier of the app that asks the
    /// daemon to synchronize it. Another version's first line has it too.
    var bundle: String?
    /// With the version: the app.
    var app: DaemonApp?
    /// With the version: whether the daemon's state is asked for.
    var asksForStatus: Bool?
    /// With the version and `bundle`: whether the daemon has to forget the
    /// app. It answers with its state.
    var forgets: Bool?

    /// The daemon synchronizes the app from now on.
    var isAccepted: Bool?
    var refusal: DaemonRefusal?
    var status: DaemonStatus?

    /// The daemon passes a sheet on to the app.
    var sheet: Sheet?
    /// The app has shown a sheet, or couldn't.
    var shown: Shown?

    struct Sheet: Codable, Sendable {
        var number: Int
        var address: String
    }

    struct Shown: Codable, Sendable {
        var number: Int
        /// The reason why the sheet wasn't shown.
        var failure: String?
        /// Whether the customer may have seen the sheet all the same.
        var mayBeSeen: Bool?
    }
}

/// The daemon's refusal to synchronize an app. When it can't synchronize the
/// app at all, it has released the app's lock before it refuses; otherwise it
/// goes on for the app's other processes.
package struct DaemonRefusal: Codable, Sendable, Hashable, Error {
    /// The reasons.
    package enum Code: String, Codable, Sendable {
        /// The program has another version than the daemon.
        case version
        /// The socket, or the program that has connected, is another user's.
        case user
        /// A file can't be written, or the journal can't be opened.
        case home
        /// A value of the app can't be used.
        case configuration
        /// The daemon doesn't answer as one does, or not in time.
        case answer
        /// The daemon has too many connections.
        case busy
        /// The daemon synchronizes as many apps as it can.
        case apps
        /// An app that runs can't be forgotten.
        case running
        /// The daemon doesn't know the app.
        case unknown
    }

    package var code: Code
    /// A message that names the remedy.
    package var message: String

    /// Whether the daemon ends its connections to the app's other processes too,
    /// so that they synchronize the app: when its files can't be used, when the
    /// app has another journal, and when the daemon has no agent of the app.
    /// Any other refusal concerns the one process.
    func endsService(isSynchronized: Bool, hasOtherJournal: Bool) -> Bool {
        code == .home || hasOtherJournal || !isSynchronized
    }
}

/// The state of a running daemon.
package struct DaemonStatus: Codable, Sendable, Hashable {
    /// An app of the daemon.
    package struct App: Codable, Sendable, Hashable {
        package var bundleIdentifier: String
        /// The number of its processes that are connected.
        package var processes: Int
        /// Why the daemon doesn't synchronize it; `nil` if it does.
        package var failure: String?
    }

    package var version: DaemonVersion
    package var process: Int32
    package var apps: [App]
}
