// SPDX-License-Identifier: Apache-2.0

// Sources written for Apple's StoreKit use Foundation with `import StoreKit`
// alone. On Linux, URLSession and URLError are in a module of their own, which
// these sources do not import.

@_exported public import Foundation

// Only the open enumerations of the C module are exported.
@_exported public import enum CStoreKit.SKErrorCode
@_exported public import enum CStoreKit.SKPaymentTransactionState
@_exported public import enum CStoreKit.SKProductDiscountPaymentMode
@_exported public import enum CStoreKit.SKProductDiscountType
@_exported public import enum CStoreKit.SKProductPeriodUnit

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
