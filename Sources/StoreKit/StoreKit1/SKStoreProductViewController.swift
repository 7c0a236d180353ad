// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

/// The store's page of an app, a song or another medium, from which customers
/// buy it.
///
/// On Apple's platforms it is a view controller, which an app presents. Here the
/// app loads an item and calls ``present(completionHandler:)``, which opens the
/// page as `STOREKIT_SHEET` says:
///
/// ```swift
/// let page = SKStoreProductViewController()
/// page.delegate = self
/// page.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: 1001]) { isLoaded, error in
///     if isLoaded { page.present() }
/// }
/// ```
///
/// The page sells to the customer of the browser. A device receives nothing from
/// such a purchase.
@MainActor
open class SKStoreProductViewController: NSObject {
    /// The object that receives the end of the page.
    open weak var delegate: (any SKStoreProductViewControllerDelegate)?

    private var page: SheetAddress?
    /// Counts the loads, so that a late answer doesn't replace a later one.
    private var loads = 0

    /// Makes a page without an item.
    nonisolated public override init() {
        super.init()
    }

    /// Loads an item, whose number is the value of
    /// ``SKStoreProductParameterITunesItemIdentifier``.
    ///
    /// The block is called on the main queue: with `true`, or with `false` and an
    /// ``SKError``: `storeProductNotAvailable` when the store has no such item,
    /// and `unknown` for parameters of another form, and when the store can't be
    /// reached (`NSUnderlyingErrorKey` has the `URLError` then).
    open func loadProduct(
        withParameters parameters: [String: Any], completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        loads += 1
        page = nil
        let (number, request) = (loads, Result { () throws(SKError) in try ItemPageRequest(parameters: parameters) })
        // Safe because the block is only passed on, and called on the main
        // queue.
        nonisolated(unsafe) let block = block
        _ = AgentHost.shared.ask { agent in
            try await agent.itemPage(try request.get())
        } answered: { result in
            MainActor.assumeIsolated {
                switch result {
                case .success(let page):
                    if number == self.loads { self.page = page }
                    block?(true, nil)
                case .failure(let error): block?(false, SKError(describing: error))
                }
            }
        }
    }

    /// Loads an item, as the other method does.
    ///
    /// - Throws: ``SKError``.
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            loadProduct(withParameters: parameters) { isLoaded, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(isLoaded))
            }
        }
    }

    /// Shows the page of the loaded item, and calls the delegate when the
    /// program that shows it has ended.
    ///
    /// An addition to Apple's API, where the app presents the view controller.
    /// The handler is called on the main queue, with an ``SKError`` when no item
    /// is loaded, or the page can't be shown.
    open func present(completionHandler: (((any Error)?) -> Void)? = nil) {
        let page = page
        // Safe because the handler is only passed on, and called on the main
        // queue.
        nonisolated(unsafe) let completionHandler = completionHandler
        _ = AgentHost.shared.ask { agent in
            guard let page else {
                throw SKError(.unknown, message: "No item is loaded: call loadProduct(withParameters:) before.")
            }
            try await agent.show(page)
        } answered: { result in
            MainActor.assumeIsolated {
                switch result {
                case .success:
                    completionHandler?(nil)
                    self.delegate?.productViewControllerDidFinish(self)
                case .failure(let error): completionHandler?(SKError(describing: error))
                }
            }
        }
    }

    /// Shows the page of the loaded item, as the other method does.
    ///
    /// - Throws: ``SKError``.
    open func present() async throws {
        try await withCheckedThrowingContinuation { continuation in
            present { error in continuation.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
    }
}
