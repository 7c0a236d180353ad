// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The form of an image, and the image that is saved.
struct ImageForms {
    let visit: ConnectVisit
    let words: ImageWords
    /// The address of a saved image by its digest.
    let address: (String) -> String

    init(_ visit: ConnectVisit, address: @escaping (String) -> String) {
        self.visit = visit
        words = .words(visit.language)
        self.address = address
    }

    /// A section with the image of a purpose, and for a user who may change
    /// it its forms.
    func section(
        _ purpose: RegistrationImage.Purpose, saved: RegistrationImage?, action: TeamAction
    ) -> ConsoleSection {
        let (heading, hint) = words.texts(purpose)
        var section = ConsoleSection(heading: heading, paragraphs: [hint], empty: saved == nil ? words.none : nil)
        if let saved {
            let size = words.fill(\.sizeIs, ["width": String(saved.width), "height": String(saved.height)])
            section.images = [ConsoleImage(address: address(saved.digest), text: "\(heading), \(size)")]
        }
        guard visit.user.role.may(action) else { return section }
        let field = visit.field(
            ConsoleField(purpose.rawValue, words.file, accept: "image/png, image/jpeg", hint: words.fileHint))
        section.forms.append(
            ConsoleForm(
                hidden: [.init(hiddenName: "purpose", hiddenValue: purpose.rawValue)],
                fields: [field],
                buttons: [.init(decision: "upload", label: saved == nil ? words.add : words.replace, isPrimary: true)]))
        if saved != nil {
            section.forms.append(.button("remove-image", words.remove, of: "purpose", purpose.rawValue))
        }
        return section
    }

    /// Carries out a form of an image, if it is one.
    static func carryOut(
        _ form: ConnectForm, _ visit: ConnectVisit, app: BundleIdentifier, product: ProductIdentifier?,
        of purposes: [RegistrationImage.Purpose]
    ) async throws -> Bool {
        guard ["upload", "remove-image"].contains(form.decision) else { return false }
        guard let purpose = RegistrationImage.Purpose(rawValue: form["purpose"]), purposes.contains(purpose) else {
            throw form.unknown
        }
        let images = try visit.service.registeringImage()
        if form.decision == "upload" {
            try await images(
                form.file?.contents ?? Data(), for: purpose, of: product, in: app, by: visit.user)
        } else {
            try await images.remove(purpose, of: product, in: app, by: visit.user)
        }
        return true
    }

    /// The largest body of a form with an image: the image, and the other
    /// fields.
    static let formLimit = RegistrationImage.largest + ConnectForm.limit
}
