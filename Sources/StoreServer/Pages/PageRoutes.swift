// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// Adds the routes of all pages: the first page, the payment sheet, the customer's account,
/// Connect, and in the sandbox the page in the place of a bank's.
func addPages(
    to router: StoreRouter, _ service: StoreService, _ limits: RequestLimits, taxes: TaxTable, hasControl: Bool
) throws {
    let common = try CommonPages()
    let authentication = CustomerAuthentication(service: service, limits: limits)
    common.add(to: router)
    try FrontRoutes(service, common, hasControl: hasControl).add(to: router)
    SheetRoutes(
        service: service, limits: limits, pages: try SheetPages(common, taxes: taxes), authentication: authentication
    )
    .add(to: router)
    let account = try AccountPages(common)
    AccountRoutes(service: service, limits: limits, pages: account, authentication: authentication).add(to: router)
    LinkRoutes(service: service, limits: limits, pages: try LinkPages(common)).add(to: router)
    SettingsRoutes(service: service, limits: limits, pages: account, authentication: authentication).add(to: router)
    PurchaseRoutes(service: service, limits: limits, pages: try PurchasePages(common), authentication: authentication)
        .add(to: router)
    ItemRoutes(service: service, limits: limits, pages: try ItemPages(common), authentication: authentication)
        .add(to: router)
    FamilyRoutes(service: service, limits: limits, pages: try FamilyPages(common), authentication: authentication)
        .add(to: router)
    let console = try ConsolePages(common)
    console.add(to: router)
    let users = ConnectAuthentication(service: service, limits: limits)
    let entry = ConnectEntryRoutes(service: service, limits: limits, pages: console, authentication: users)
    entry.add(to: router)
    ConnectRoutes(service: service, pages: console, authentication: users, entry: entry).add(to: router)
    if service.environment == .sandbox {
        SandboxPaymentRoutes(service: service, limits: limits, pages: try SandboxBankPages(common)).add(to: router)
    }
}
