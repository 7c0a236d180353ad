// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreServer

/// The names of browsers on the pages with sessions.
struct BrowserNameTests {
    @Test(
        "A browser has its own name and its system's, and not those that it is compatible with",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
                "Chrome, Linux"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 "
                    + "Safari/537.36 Edg/138.0.0.0",
                "Edge, Windows"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                    + "Version/18.5 Safari/605.1.15",
                "Safari, macOS"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                    + "CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1",
                "Chrome, iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 "
                    + "Chrome/130.0.0.0 Mobile Safari/537.36",
                "Samsung Internet, Android"
            ),
            ("Firefox/140.0", "Firefox"),
        ])
    func known(userAgent: String, name: String) {
        #expect(BrowserName.name(of: userAgent) == name)
    }

    @Test("The name of an unknown browser is shown as it is", arguments: ["curl/8.5.0", "Firefox <Linux>", ""])
    func unknown(userAgent: String) {
        #expect(BrowserName.name(of: userAgent) == userAgent)
    }
}
