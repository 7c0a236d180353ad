// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the template of a page of Connect. All values are stored,
/// because Mustache reads no computed properties.
struct ConsoleModel: PageModel {
    let page: PageFrame
    var title: String
    let environment: String
    let console: ConsoleWords
    /// The name of the team; `nil` before the sign-in.
    var team: String?
    var user = ""
    var places: [PageLink] = []
    /// The name of the place of the navigation at which the page is.
    var here = ""
    /// The page above this one.
    var above: PageLink?
    var notice: String?
    var message: PageMessage?
    var sections: [ConsoleSection]
    /// The address of a script, without which the page works too.
    var script: String?

    /// A page before the sign-in.
    init(_ language: PageLanguage, title: String, environment: StoreEnvironment, sections: [ConsoleSection] = []) {
        page = PageFrame(language)
        self.title = title
        self.environment = environment.rawValue
        console = .words(language)
        self.sections = Self.numbered(sections)
    }

    /// The sections with an identifier of its own for each field, the first
    /// field with a problem, and the forms that have a file.
    private static func numbered(_ sections: [ConsoleSection]) -> [ConsoleSection] {
        var (sections, counts, hasProblem) = (sections, [String: Int](), false)
        for section in sections.indices {
            for form in sections[section].forms.indices {
                sections[section].forms[form].hasFile = sections[section].forms[form].fields.contains(where: \.isFile)
                for field in sections[section].forms[form].fields.indices {
                    let name = sections[section].forms[form].fields[field].name
                    counts[name, default: 0] += 1
                    let count = counts[name] ?? 1
                    sections[section].forms[form].fields[field].identifier = count == 1 ? name : "\(name)-\(count)"
                    if !hasProblem, sections[section].forms[form].fields[field].problem != nil {
                        sections[section].forms[form].fields[field].isFirstProblem = true
                        hasProblem = true
                    }
                }
            }
        }
        return sections
    }

    /// A page of a signed-in user, at a place of the navigation.
    init(_ visit: ConnectVisit, at place: ConnectPlace, title: String? = nil, sections: [ConsoleSection]) {
        self.init(
            visit.language, title: title ?? ConsoleWords.words(visit.language)[keyPath: place.name],
            environment: visit.environment, sections: sections)
        team = visit.team.name
        user = visit.user.email
        here = ConsoleWords.words(visit.language)[keyPath: place.name]
        places = ConnectPlace.links(in: visit.language, at: place, for: visit.user, of: visit.environment)
    }
}

/// A part of a page: a list, forms, or both.
struct ConsoleSection {
    var heading: String?
    var paragraphs: [String] = []
    var images: [ConsoleImage] = []
    var search: ConsoleSearch?
    /// The orders of the entries.
    var sorting: ConsoleSorting?
    var facts: ConsoleFacts?
    /// Of a list that a script replaces.
    var live: ConsoleLive?
    var entries: [ConsoleEntry] = []
    /// The text in the place of entries, if there are none.
    var empty: String?
    var table: ConsoleTable?
    var code: ConsoleQRCode?
    /// Texts to copy, such as an address.
    var copies: [ConsoleCopy] = []
    var forms: [ConsoleForm] = []
    var links: [PageLink] = []

    var hasImages: Bool { !images.isEmpty || entries.contains { $0.image != nil } }
}

/// An image with its description.
struct ConsoleImage {
    var address: String
    var text: String
}

/// The search of a list, whose text is in the page's address.
struct ConsoleSearch {
    var label: String
    var text: String
    var button: String
    /// The chosen order of the list, which a search keeps; `nil` for the usual
    /// one.
    var sort: String?
    let filters: [Filter]
    /// Whether there is a filter, behind which the button is then.
    let isFiltered: Bool

    init(label: String, text: String, button: String, sort: String = "", filters: [Filter] = []) {
        self.label = label
        self.text = text
        self.button = button
        self.sort = sort.nonEmpty
        self.filters = filters
        isFiltered = !filters.isEmpty
    }

    /// A choice beside the text.
    struct Filter {
        let filterName: String
        let filterTitle: String
        let optionsHTML: String

        init(_ name: String, _ title: String, options: [ConsoleOption], chosen: String) {
            filterName = name
            filterTitle = title
            optionsHTML = ConsoleOption.html(options, chosen: chosen)
        }
    }
}

/// An object of a list.
struct ConsoleEntry {
    var name: String
    /// The address of the object's page.
    var address: String?
    var details: [String] = []
    /// A state or a time, at the end of the line.
    var note: String?
    /// The address of an image before the name.
    var image: String?
    var forms: [ConsoleForm] = []
}

struct ConsoleTable {
    struct Cell {
        /// The name of the cell's column, which a narrow page shows in the
        /// place of the mark.
        var column: String
        var text: String
        /// The text for a reader who doesn't see the mark.
        var spoken: String
        /// Whether a narrow page leaves the cell out.
        var isRefused: Bool
    }

    struct Line {
        var name: String
        var cells: [Cell]
    }

    var caption: String
    var columns: [String]
    var lines: [Line]
}

struct ConsoleCopy {
    let label: String
    let lines: [String]
    /// Whether the text has so many lines on a narrow page that it scrolls in
    /// a region of its own.
    let isLong: Bool

    init(label: String, lines: [String]) {
        self.label = label
        self.lines = lines
        isLong = lines.reduce(0) { $0 + $1.utf8.count } > 1000
    }
}

/// A form of a page.
struct ConsoleForm {
    struct Hidden {
        var hiddenName: String
        var hiddenValue: String
    }

    struct Button {
        var decision: String
        var label: String
        var isPrimary = false
        var isGrave = false
    }

    var action: String?
    var hidden: [Hidden] = []
    var fields: [ConsoleField] = []
    var buttons: [Button]
    /// Whether a field is a file. The model of a page sets it.
    fileprivate(set) var hasFile = false
    /// The progress of the file's upload, which a script shows.
    var progress: ConsoleProgress?

    /// A form with one button and one hidden value, such as an entry's.
    static func button(_ decision: String, _ label: String, of name: String, _ value: String) -> ConsoleForm {
        ConsoleForm(
            hidden: [.init(hiddenName: name, hiddenValue: value)],
            buttons: [.init(decision: decision, label: label, isGrave: true)])
    }
}

/// A field of a form, with the problem of the typed value beside it.
struct ConsoleField {
    let name: String
    let label: String
    /// The value of the attribute `id`.
    var identifier: String
    var type = "text"
    var value = ""
    var autocomplete = "off"
    var hint: String?
    var problem: String?
    /// Whether the page opens at this field, the first one with a problem. The
    /// model of a page sets it.
    fileprivate(set) var isFirstProblem = false
    /// The saved value beside another user's typed one.
    var present: String?
    var isRequired = true
    private(set) var options: [ConsoleOption] = []
    private(set) var optionsHTML = ""
    var isSelect = false
    var isInput = true
    var isText = false
    /// Whether the field is a file, which has neither a value nor a completion.
    let isFile: Bool
    /// The kinds of file that a field of the type `file` offers.
    var accept: String?

    init(
        _ name: String, _ label: String, type: String = "text", value: String = "", autocomplete: String = "off",
        hint: String? = nil, isRequired: Bool = true
    ) {
        self.name = name
        identifier = name
        self.label = label
        self.type = type
        isFile = type == "file"
        self.value = value
        self.autocomplete = autocomplete
        self.hint = hint
        self.isRequired = isRequired
    }

    /// A file of one of some media types.
    init(_ name: String, _ label: String, accept: String, hint: String) {
        self.init(name, label, type: "file", hint: hint)
        self.accept = accept
    }

    /// A text of several lines.
    init(_ name: String, _ label: String, lines: String, hint: String? = nil) {
        self.init(name, label, value: lines, hint: hint, isRequired: false)
        isInput = false
        isText = true
    }

    /// A choice of one of some values.
    init(
        _ name: String, _ label: String, options: [ConsoleOption], chosen: String?, hint: String? = nil,
        isRequired: Bool = true
    ) {
        self.init(name, label, hint: hint, isRequired: isRequired)
        self.options = options
        optionsHTML = ConsoleOption.html(options, chosen: chosen)
        isSelect = true
        isInput = false
    }
}
