// SPDX-License-Identifier: Apache-2.0

/// The contents of a page of the account's settings for a signed-in customer.
/// All values are stored, because Mustache reads no computed properties.
struct SettingsContents: Sendable {
    var paragraphs: [String] = []
    var entries: [SettingsEntry] = []
    var forms: [SettingsForm] = []
    /// The values of the page for a script.
    var json: any Encodable & Sendable
}

/// One of the listed things, such as a device.
struct SettingsEntry: Sendable {
    var title: String
    var details: [String]
    var forms: [SettingsForm] = []
}

/// A form of a page.
struct SettingsForm: Sendable {
    struct Field: Sendable {
        var name: String
        var title: String
        var type: String
        /// The value of the attribute `autocomplete`.
        var autocomplete: String
    }

    struct Choice: Sendable {
        var name: String
        var value: String
        var title: String
        var isChecked: Bool
    }

    struct Button: Sendable {
        var decision: String
        var title: String
        var isPrimary = false
    }

    /// The name and the value of a hidden field.
    var name: String?
    var value = ""
    /// The title of the choices.
    var legend = ""
    var choices: [Choice] = []
    var fields: [Field] = []
    var buttons: [Button]
    /// The label of the password, for a form that needs it.
    var passwordLabel: String?
    /// The e-mail address of the account.
    var email: String?
    /// The place of the form on its page.
    var number = 0
    var hasChoices = false
}

/// The values of the template of the pages of the account's settings.
struct SettingsModel: PageModel {
    let page: PageFrame
    var title: String
    var environment: String
    var account: String?
    /// The typed address, after a failed sign-in.
    var email = ""
    var asksForSignIn = true
    var signIn = SettingsWords.signIn
    var notice: String?
    var message: String?
    var paragraphs: [String] = []
    var entries: [SettingsEntry] = []
    var forms: [SettingsForm] = []

    /// The sign-in of a page.
    init(at place: AccountPlace, environment: String, typed: String? = nil) {
        page = PageFrame(.english, at: place)
        title = PlaceWords.english[keyPath: place.name]
        self.environment = SettingsWords.environment(environment)
        email = typed ?? ""
    }

    /// Fills the page for an account. Its forms have the address, and the
    /// password if `asksForPassword` is set.
    mutating func show(_ contents: SettingsContents, of email: String, asksForPassword: Bool) {
        asksForSignIn = false
        account = email
        paragraphs = contents.paragraphs
        entries = contents.entries
        forms = contents.forms
        var number = 0
        func fill(_ form: inout SettingsForm) {
            number += 1
            form.number = number
            form.email = email
            form.hasChoices = !form.choices.isEmpty
            if form.passwordLabel == nil, asksForPassword { form.passwordLabel = SettingsWords.password }
        }
        for entry in entries.indices {
            for form in entries[entry].forms.indices { fill(&entries[entry].forms[form]) }
        }
        for form in forms.indices { fill(&forms[form]) }
    }
}
