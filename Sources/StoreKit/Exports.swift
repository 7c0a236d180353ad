// SPDX-License-Identifier: Apache-2.0

// Sources written for Apple's StoreKit rely on `import StoreKit` alone
// bringing Foundation in. On Linux, URLSession and URLError live in a module
// of their own, which the same sources don't know of.

@_exported public import Foundation

// The open enumerations, and nothing else that is written in C.
@_exported public import enum CStoreKit.SKErrorCode
@_exported public import enum CStoreKit.SKPaymentTransactionState
@_exported public import enum CStoreKit.SKProductDiscountPaymentMode
@_exported public import enum CStoreKit.SKProductDiscountType
@_exported public import enum CStoreKit.SKProductPeriodUnit

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
