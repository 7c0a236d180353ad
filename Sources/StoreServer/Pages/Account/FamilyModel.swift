// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the template for the page of a family. All are stored,
/// because Mustache reads no computed properties.
struct FamilyModel: PageModel {
    /// A member of the family.
    struct Member {
        var email: String
        var role: String
        /// The raw value of the role.
        var kind: String
    }

    let page: PageFrame
    let words: FamilyWords
    let title: String
    var environment: String
    /// The e-mail address of the signed-in account; `nil` without one.
    var account: String?
    /// The typed address, after a failed sign-in.
    var email: String
    var asksForSignIn: Bool
    /// Whether the browser has a session, which can be ended.
    var hasSession = false
    /// The result of the last answer.
    var notice: PageMessage?
    /// Why the last answer has failed.
    var message: PageMessage?
    /// A sentence in the place of requests; `nil` when there are some.
    var note: String?
    var hasMembers = false
    var members: [Member] = []
    var requests: [RequestModel] = []
    /// Whether the account may begin a family, and whether it may add members.
    var mayBegin = false
    var mayAdd = false
    /// The typed address of a new member, after a failed attempt.
    var member = ""
    /// The field of the password is empty: the page is shown without the
    /// sign-in to a browser with a session.
    let isSignedIn = false

    /// The page of an account, or the sign-in without one.
    init(_ language: PageLanguage, environment: String, account: Account?, typed: String? = nil) {
        page = PageFrame(language, at: .family)
        words = .words(language)
        title = PlaceWords.words(language).family
        self.environment = environment
        self.account = account?.email
        email = typed ?? ""
        asksForSignIn = account == nil
    }

    /// Adds a family, and the requests that its parent may answer.
    mutating func show(_ page: ListingChildRequests.Page, of account: Account, languages: [String]) {
        let text = FamilyText(self.page.language)
        members = (page.family?.members ?? []).map {
            Member(email: $0.email, role: text.role($0.role), kind: $0.role.rawValue)
        }
        hasMembers = !members.isEmpty
        requests = page.requests.map { RequestModel($0, of: account, text, languages: languages) }
        mayBegin = page.family == nil
        mayAdd = page.family?.organiser?.account == account.identifier
        let isParent = page.family?.member(account.identifier)?.role.isParent == true
        if page.family == nil {
            note = words.noFamily
        } else if requests.isEmpty {
            note = isParent ? words.noRequests : words.onlyParents
        }
    }
}

/// The values of one request of the page.
struct RequestModel {
    /// The number of the future purchase.
    var transaction: String
    /// The e-mail addresses of the parent, for the form, and of the member who
    /// asks.
    var email: String
    var child: String
    var bundle: String
    var app: String
    var product: String
    var quantity: Int
    var title: String
    var outcome: PageMessage
    /// The terms of a subscription in paragraphs; empty for other products.
    var terms: [TermsParagraph]
    var time: String
    /// The terms as the form sends them back; `nil` when it can't be approved.
    var form: Form?
    var approve: String
    /// In milliseconds since 1970.
    var asked: Int64
    var until: Int64?

    /// The hidden fields of an approval.
    struct Form {
        /// Thousandths and the currency.
        var shown: String
        var change: String
        var offer: String
        var then: String

        init(_ shown: ShownTerms) {
            self.shown = shown.shown
            change = shown.change?.rawValue ?? ""
            offer = shown.offer
            then = shown.then
        }
    }

    init(_ request: ChildRequest, of parent: Account, _ text: FamilyText, languages: [String]) {
        transaction = request.transaction.rawValue
        email = parent.email
        child = request.child.email
        bundle = request.app.bundleIdentifier.rawValue
        app = request.app.name
        product = request.productIdentifier.rawValue
        quantity = request.quantity
        title = text.title(request, languages)
        outcome = text.outcome(request)
        terms = text.terms(request, languages)
        time = text.time(request)
        var shown: ShownTerms?
        if case .buys(let terms, _) = request.outcome { shown = terms }
        form = shown.map(Form.init)
        approve = shown.map(text.approve) ?? ""
        asked = request.asked.milliseconds
        until = request.until?.milliseconds
    }
}

/// The page of a family in JSON.
struct FamilyPageAnswer: Encodable {
    struct Member: Encodable {
        var email: String
        /// `organiser`, `parent`, `adult` or `child`.
        var role: String
    }

    struct Asked: Encodable {
        /// The number of the future purchase.
        var request: String
        /// The member who asks.
        var email: String
        var bundle: String
        var product: String
        var quantity: Int
        /// The terms, as the form takes them; absent when the request can't be
        /// approved.
        var shown: String?
        var change: String?
        var offer: String?
        var then: String?
        /// The consequence of an approval, in a sentence.
        var outcome: String
        /// The terms of a subscription in paragraphs; empty for other products.
        var terms: [String]
        /// In milliseconds since 1970.
        var asked: Int64
        var until: Int64?
    }

    /// The result of an answer.
    var notice: String?
    var members: [Member]
    var requests: [Asked]

    init(_ model: FamilyModel) {
        notice = model.notice?.whole
        members = model.members.map { Member(email: $0.email, role: $0.kind) }
        requests = model.requests.map {
            Asked(
                request: $0.transaction, email: $0.child, bundle: $0.bundle, product: $0.product,
                quantity: $0.quantity, shown: $0.form?.shown, change: $0.form?.change, offer: $0.form?.offer,
                then: $0.form?.then, outcome: $0.outcome.whole, terms: $0.terms.map(\.text), asked: $0.asked,
                until: $0.until)
        }
    }
}
