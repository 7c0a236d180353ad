// SPDX-License-Identifier: Apache-2.0

/// The name of a browser and of its system, such as `Firefox, Windows`, from
/// the `User-Agent` that it sends.
///
/// A `User-Agent` also has the names of other browsers, with which its own is
/// compatible. The first name in the order of these lists is therefore the
/// browser's.
enum BrowserName {
    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"),
        ("SamsungBrowser/", "Samsung Internet"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"),
        ("HeadlessChrome/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"), ("X11", "Unix"),
    ]

    /// The name for a page. A `User-Agent` of an unknown browser is shown as
    /// it is.
    static func name(of userAgent: String) -> String {
        guard let browser = browsers.first(where: { userAgent.contains($0.0) })?.1 else { return userAgent }
        let system = systems.first { userAgent.contains($0.0) }?.1
        return system.map { "\(browser), \($0)" } ?? browser
    }
}
