// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of a page's template.
///
/// Mustache reads stored properties only. A model also has a `title`, and the
/// `words` of its page.
protocol PageModel {
    /// The values of the parts that all pages include.
    var page: PageFrame { get }
}

/// The values of the parts that all pages include: the head, the fields of the
/// sign-in, the links between the pages of an account.
struct PageFrame {
    let language: PageLanguage
    /// The attribute `lang`.
    let lang: String
    /// The attribute `dir`.
    let dir: String
    let words: FrameWords
    /// The links between the pages of an account; empty for other pages.
    let links: [PageLink]

    /// `place` is the page of an account that this is.
    init(_ language: PageLanguage, at place: AccountPlace? = nil) {
        self.language = language
        lang = language.rawValue
        dir = language.direction
        words = .words(language)
        links = place.map { PageLink.all(in: language, at: $0) } ?? []
    }
}
