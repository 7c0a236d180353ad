// SPDX-License-Identifier: Apache-2.0

// Tests written for Apple's StoreKitTest use StoreKit with
// `import StoreKitTest` alone.
@_exported public import StoreKit
