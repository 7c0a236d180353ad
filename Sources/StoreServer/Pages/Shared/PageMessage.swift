// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// Why an answer has failed, for a page.
///
/// In English it is the sentence of the failure, which has the most detail. In
/// other languages its reason or its code chooses a sentence.
struct PageMessage {
    var text: String
    /// The sentence of the failure in English, behind one in another language
    /// that is the same for many failures.
    var original: String?

    /// Both sentences, for a script.
    var whole: String { original.map { "\(text) \($0)" } ?? text }

    /// A sentence that is no failure.
    init(text: String, original: String? = nil) {
        self.text = text
        self.original = original
    }

    init(_ failure: StoreFailure, in language: PageLanguage) {
        guard let sentences = FailureSentences.sentences(language) else {
            text = failure.message
            return
        }
        let sentence = failure.reason.map { sentences[$0] } ?? sentences[failure.code]
        text = TermsWords.fill(sentence ?? sentences.other, ["seconds": language.number(failure.retryAfter ?? 1)])
        if sentence == nil { original = failure.message }
    }
}
