// SPDX-License-Identifier: Apache-2.0

import Mustache
import Synchronization

/// Parses the templates of pages, and has the parts that they include by name.
///
/// All texts are escaped by ``HTMLText``: each template gets the line that
/// selects it, because an included template doesn't have the choice of the one
/// that includes it.
struct PageTemplates {
    /// Each template of the process by its source: a program of tests makes
    /// hundreds of stores, and a parse of all templates takes longer than many
    /// of its tests.
    private static let parsed = Mutex<[[UInt8]: MustacheTemplate]>([:])

    private let parts: MustacheLibrary

    init() throws {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        parts = MustacheLibrary(templates: [
            "head": try Self.parse(PackageResources.head_mustache),
            "credentials": try Self.parse(PackageResources.credentials_mustache),
            "message": try Self.parse(PackageResources.message_mustache),
            "navigation": try Self.parse(PackageResources.navigation_mustache),
            "settings-form": try Self.parse(PackageResources.settings_form_mustache),
        ])
    }

    /// Returns the template of a page, which may include the parts above,
    /// such as `{{>head}}`.
    func page(_ source: [UInt8]) throws -> PageTemplate {
        PageTemplate(template: try Self.parse(source), parts: parts)
    }

    /// Returns the template of a page, which may include the parts above, and
    /// others by their names.
    func page(_ source: [UInt8], including others: [String: [UInt8]]) throws -> PageTemplate {
        var parts = parts
        for (name, part) in others { parts.register(try Self.parse(part), named: name) }
        return PageTemplate(template: try Self.parse(source), parts: parts)
    }

    private static func parse(_ source: [UInt8]) throws -> MustacheTemplate {
        try parsed.withLock { parsed in
            if let template = parsed[source] { return template }
            let selection = "{{% CONTENT_TYPE: \(HTMLText.name)}}"
            let template = try MustacheTemplate(string: selection + String(decoding: source, as: UTF8.self))
            parsed[source] = template
            return template
        }
    }
}

/// The template of a page, with the parts that it includes.
struct PageTemplate {
    fileprivate let template: MustacheTemplate
    fileprivate let parts: MustacheLibrary

    func render(_ model: some PageModel) -> String {
        template.render(PageValue(model), library: parts)
    }
}
