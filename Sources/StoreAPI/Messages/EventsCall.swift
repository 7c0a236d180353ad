// SPDX-License-Identifier: Apache-2.0

/// Asks for the events of some apps of this device, in one stream.
///
/// The answer is a stream of server-sent events without an end. The `id` of
/// each event is the place of its app in ``apps``, from 0. The first event of
/// an app is ``OpenedEvent``, or ``RefusedEvent``; a refused app doesn't end
/// the stream of the others.
package struct EventsCall: Codable, Sendable, Hashable {
    /// At least one app, and no app twice.
    @Limited<StreamedApps> package var apps: [StreamedApp]

    package init(apps: [StreamedApp]) {
        self.apps = apps
    }
}

/// An app of an event stream, and where its events begin.
package struct StreamedApp: Codable, Sendable, Hashable {
    @Limited<Identifier> package var bundleIdentifier: String
    /// The last event that the device has received for the app; `nil` asks
    /// for the whole queue.
    package var position: EventPosition?
    /// The number of the last news of the device that it has received for the
    /// app (``RequestEvent``, ``AccountChangedEvent``). `nil` begins with
    /// later news.
    @Limited<NewsNumber> package var newsNumber: Int64?
    /// Whether the device takes a long queue in pages, each a snapshot event.
    package var takesPages: Bool?

    package init(
        bundleIdentifier: String, position: EventPosition? = nil, newsNumber: Int64? = nil, takesPages: Bool? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.position = position
        self.newsNumber = newsNumber
        self.takesPages = takesPages
    }
}
