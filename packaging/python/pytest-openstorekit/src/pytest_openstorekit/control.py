# SPDX-License-Identifier: Apache-2.0
"""The remote control of a store in the sandbox, `/control/v1`: a method for each call.

Made by generate_control.py from the store's own description. Arguments that are `None` aren't sent.
"""

from typing import Any, Literal, NotRequired, TypedDict, cast

from pytest_openstorekit.transport import Transport


class NotificationAddressAnswer(TypedDict):
    """An answer of the store.

    `bundle`: The app; absent for all apps.
    """

    url: str
    bundle: NotRequired[str]
    version: Literal[1, 2]


class NotificationAddressesAnswer(TypedDict):
    """An answer of the store."""

    addresses: list[NotificationAddressAnswer]


class NotificationAttemptAnswer(TypedDict):
    """An attempt to send a notification.

    `date`: In milliseconds since 1970.

    `result`: sendAttemptResult of the App Store Server API.
    """

    date: int
    result: str


class NotificationDeliveryAnswer(TypedDict):
    """The delivery of a notification to an address.

    `due`: When the next attempt is due, in milliseconds since 1970; absent without one.
    """

    url: str
    state: Literal["due", "held", "listened", "delivered", "failed"]
    attempts: list[NotificationAttemptAnswer]
    due: NotRequired[int]


class NotificationAnswer(TypedDict):
    """An answer of the store.

    `notification`: The notificationUUID, which version 1 doesn't send.

    `version`: The version of App Store Server Notifications.

    `type`: notificationType of App Store Server Notifications, or notification_type of version 1.

    `subtype`: Absent for a type without one.

    `transaction`: Absent for a notification about no transaction.

    `created`: When its cause happened, in milliseconds since 1970.

    `payload`: The JWS that is sent, or the JSON of version 1 without password; absent until it is signed.
    """

    notification: str
    version: Literal[1, 2]
    bundle: str
    type: str
    subtype: NotRequired[str]
    transaction: NotRequired[str]
    originalTransaction: NotRequired[str]
    created: int
    payload: NotRequired[str]
    deliveries: list[NotificationDeliveryAnswer]


class NotificationsAnswer(TypedDict):
    """An answer of the store."""

    notifications: list[NotificationAnswer]


class SettleNotificationsAnswer(TypedDict):
    """An answer of the store.

    `settled`: Whether nothing is due; false when the time was over before.
    """

    settled: bool


class DeliveryModeCall(TypedDict):
    """How the notifications of an account are delivered, or of all accounts.

    `account`: The e-mail address of an account; absent for all accounts without a mode of their own.

    `isSentTwice`: Whether an address receives each notification twice.

    `isOutOfOrder`: Whether a notification waits for the next one of its original transaction, and is sent
    after it. Not with delay.

    `delay`: The seconds from the cause to the first attempt, in the account's time.

    `isDropped`: Whether notifications aren't sent. Not with another mode.

    `failures`: The number of attempts of each notification that fail as if the address answered with the
    status 500.
    """

    account: NotRequired[str]
    isSentTwice: NotRequired[bool]
    isOutOfOrder: NotRequired[bool]
    delay: NotRequired[int]
    isDropped: NotRequired[bool]
    failures: NotRequired[int]


class DeliveryModesAnswer(TypedDict):
    """An answer of the store.

    `modes`: That of all accounts is the first one.
    """

    modes: list[DeliveryModeCall]


class TakenNotification(TypedDict):
    """An answer of the store.

    `result`: sendAttemptResult of its forwarding; SUCCESS when absent.
    """

    notification: str
    result: NotRequired[
        Literal[
            "SUCCESS",
            "TIMED_OUT",
            "TLS_ISSUE",
            "CIRCULAR_REDIRECT",
            "NO_RESPONSE",
            "SOCKET_ISSUE",
            "INVALID_RESPONSE",
            "PREMATURE_CLOSE",
            "UNSUCCESSFUL_HTTP_RESPONSE_CODE",
            "OTHER",
        ]
    ]


class StopListeningAnswer(TypedDict):
    """An answer of the store."""

    pass


class TriggerAnswer(TypedDict):
    """An answer of the store."""

    email: str
    notification: NotificationAnswer


class TransactionAnswer(TypedDict):
    """The current state of a purchase or a request.

    `status`: `deferred`, `interrupted`, `processing`, `done`, `failed`, `refunded`, or `revoked` of a shared
    purchase.

    `message`: Why it failed.
    """

    transaction: str
    product: str
    bundle: str
    quantity: int
    status: Literal["deferred", "interrupted", "processing", "done", "failed", "refunded", "revoked"]
    message: NotRequired[str]


class RefundRequestAnswer(TypedDict):
    """A customer's request for a refund.

    `request`: 16 bytes in hexadecimal: also the identifier of the refund.

    `comment`: The customer's words.

    `status`: approving when an approval wasn't completed: approve it again.

    `created`: When the customer asked, in milliseconds since 1970.

    `consumption`: The seller's information for the decision: the fields of ConsumptionRequest in the App
    Store Server API.
    """

    request: str
    transaction: str
    reason: Literal["unintended", "child", "missing", "broken", "unsatisfied", "legal", "other"]
    comment: NotRequired[str]
    status: Literal["open", "approving", "approved", "declined"]
    created: int
    consumption: NotRequired[dict[str, str]]


class RefundRequestsAnswer(TypedDict):
    """An answer of the store."""

    requests: list[RefundRequestAnswer]


class Discount(TypedDict):
    """A promotional offer as the seller's server has signed it for one payment.

    `keyIdentifier`: The identifier of the key that made the signature.

    `nonce`: A UUID.

    `signature`: Base64 of an ECDSA signature in DER.

    `timestamp`: Milliseconds since 1970.

    `token`: The offer as a JWS (StoreKit 2); the key identifier, the nonce and the signature are empty then,
    and the timestamp is 0.
    """

    identifier: str
    keyIdentifier: str
    nonce: str
    signature: str
    timestamp: int
    token: NotRequired[str]


class ChargeAnswer(TypedDict):
    """An amount that was charged for a purchase, or that the payer got back.

    `kind`: `charge`, `refund`, `dispute`, `dispute won`, `dispute lost` or `capture failed`; a later version
    may have others.

    `amount`: A decimal such as 4.99; below zero for one that the payer got back.

    `at`: The account's time.
    """

    kind: str
    amount: str
    currency: str
    at: str


class ChargesAnswer(TypedDict):
    """The charges of a purchase, oldest first."""

    charges: list[ChargeAnswer]


class RestoredPurchaseAnswer(TypedDict):
    """A restored transaction.

    `original`: The transaction of the purchase that was restored.
    """

    transaction: str
    product: str
    quantity: int
    original: str


class RestoredPurchasesAnswer(TypedDict):
    """An answer of the store."""

    transactions: list[RestoredPurchaseAnswer]


class PriceIncreaseAnswer(TypedDict):
    """A higher price of which the customer was informed.

    `price`: A decimal such as `0.99`.

    `applies`: The start of the first period at this price.
    """

    price: str
    currency: str
    applies: str
    needsConsent: bool
    isAgreed: bool


class SubscriptionEventAnswer(TypedDict):
    """A dated event of a subscription.

    `kind`: Such as `renewed`, `renewal turned off` or `expired`.

    `transaction`: The transaction that the event names, or that of the period in which it happened.

    `subscription`: The first transaction of the subscription.

    `until`: The end of the period that has begun or was extended, or of the grace period.

    `expirationIntent`: Why the subscription ended or its renewal was turned off: the numbers of
    `expiration_intent`.
    """

    time: str
    kind: str
    product: str
    transaction: str
    subscription: str
    bundle: str
    until: NotRequired[str]
    expirationIntent: NotRequired[int]


class SubscriptionAnswer(TypedDict):
    """A subscription at the account's time.

    `subscription`: The first transaction of the subscription.

    `product`: The current product.

    `status`: `active`, `expired`, `billing retry`, `grace period` or `revoked`.

    `paidUntil`: The end of the current period.

    `graceUntil`: The end of the grace period, while the charge is retried.

    `retryUntil`: The end of the retry, while the charge is retried.

    `nextProduct`: The product of the next period; absent when it doesn't renew.

    `expirationIntent`: Why it ended or is about to: the numbers of `expiration_intent`.

    `transaction`: The transaction of the current period.

    `priceIncrease`: The higher price of which the customer was informed, and that no period was paid at.

    `events`: The events since the current period has begun.

    `request`: The number of the request that waits for a parent, because the account asks before each
    purchase and would pay more after the call; absent when the call is carried out.
    """

    subscription: str
    bundle: str
    group: str
    product: str
    status: Literal["active", "expired", "billing retry", "grace period", "revoked"]
    paidUntil: str
    graceUntil: NotRequired[str]
    retryUntil: NotRequired[str]
    renews: bool
    nextProduct: NotRequired[str]
    expirationIntent: NotRequired[int]
    transaction: str
    priceIncrease: NotRequired[PriceIncreaseAnswer]
    events: list[SubscriptionEventAnswer]
    request: NotRequired[str]


class ClearPurchasesAnswer(TypedDict):
    """An answer of the store.

    `deleted`: The number of deleted purchases.
    """

    deleted: int


class RotateCertificatesAnswer(TypedDict):
    """The serial numbers of the new certificates, in hexadecimal."""

    receipts: str
    jws: str


class ResetCall(TypedDict):
    """An answer of the store."""

    pass


class RequestsAnswer(TypedDict):
    """An answer of the store."""

    requests: list[TransactionAnswer]


class AccountAnswer(TypedDict):
    """An account with its settings.

    `isBarred`: The store sells nothing to it.

    `asksToBuy`: Another person has to approve its purchases.

    `interruptsPurchases`: Its purchases are interrupted.

    `declinesPayments`: Its payments are declined.

    `retriesNotifications`: A notification that wasn't received is sent again, 1, 12, 24, 48 and 72 hours of
    its time after the last attempt.
    """

    email: str
    storefront: str
    name: NotRequired[str]
    locale: NotRequired[str]
    passwordRule: str
    isBarred: bool
    asksToBuy: bool
    interruptsPurchases: bool
    declinesPayments: bool
    retriesNotifications: bool


class NewAccountAnswer(TypedDict):
    """The account of an e-mail address.

    `storefront`: Absent for an account that existed before.

    `isNew`: False when the address had an account before, which stays as it is.
    """

    email: str
    storefront: NotRequired[str]
    isNew: bool


class CloseAccountAnswer(TypedDict):
    """An answer of the store."""

    email: str


class AccountsAnswer(TypedDict):
    """At most 200 accounts, in the order of their addresses."""

    accounts: list[AccountAnswer]


class PaymentMethodAnswer(TypedDict):
    """An answer of the store.

    `kind`: Such as card.

    `digits`: The last four digits; empty for a method without any.

    `expires`: In milliseconds since 1970 of the account's time.
    """

    method: str
    kind: str
    label: str
    digits: str
    isPreferred: bool
    expires: NotRequired[int]


class PaymentMethodsAnswer(TypedDict):
    """The payment methods of an account, the oldest first."""

    methods: list[PaymentMethodAnswer]


class FamilyMemberAnswer(TypedDict):
    """An answer of the store.

    `role`: organiser, parent, adult or child.

    `joined`: In milliseconds since 1970.
    """

    email: str
    role: str
    asksToBuy: bool
    joined: int


class FamilyAnswer(TypedDict):
    """The members of a family, the organiser first."""

    members: list[FamilyMemberAnswer]


class ProductAnswer(TypedDict):
    """An answer of the store."""

    pass


class ProductPriceAnswer(TypedDict):
    """The price after the change.

    `storefront`: The country that the call named.

    `price`: A decimal such as `0.99`.

    `currency`: The currency of the storefront; absent for the base price, which is the same number in every
    currency.
    """

    storefront: NotRequired[str]
    price: str
    currency: NotRequired[str]


class PriceChangeAnswer(TypedDict):
    """A price that is scheduled or has begun.

    `change`: The identifier of the change.

    `storefront`: The country of the price; absent for the base price.

    `price`: A decimal such as `0.99`.

    `previous`: The price before; absent as long as the change is scheduled.

    `status`: `scheduled`, `telling` while subscribers remain to be informed, or `done`.
    """

    change: str
    product: str
    storefront: NotRequired[str]
    price: str
    previous: NotRequired[str]
    starts: str
    subscribers: str
    consent: str
    status: Literal["scheduled", "telling", "done"]


class PriceChangesAnswer(TypedDict):
    """An answer of the store.

    `changes`: The newest 500, those that start last first.
    """

    changes: list[PriceChangeAnswer]


class CancelPriceCall(TypedDict):
    """Cancels a scheduled price; the answer is the same.

    `change`: The identifier of the change.
    """

    change: str


class ItemAnswer(TypedDict):
    """An item without its images.

    `title`: The title in English, or else in any language.

    `price`: The base price, a decimal such as `0.99`.

    `firstDay`: The first day on which it is sold (UTC); absent for an item without one.
    """

    item: int
    kind: str
    bundle: NotRequired[str]
    seller: str
    version: str
    link: str
    title: str
    price: str
    firstDay: NotRequired[str]


class ItemsAnswer(TypedDict):
    """At most 200 items, in the order of their identifiers."""

    items: list[ItemAnswer]


class ItemCallText(TypedDict):
    """The title and the description in one language."""

    title: str
    description: str


class PromoteCall(TypedDict):
    """Sets the products that a seller promotes on the page of an app; the answer is the same.

    `products`: At most 20 products, in the seller's order.
    """

    bundle: str
    products: list[str]


class CampaignAnswer(TypedDict):
    """The purchases of an app or another medium after clicks on links with the same tokens, in one currency.

    `bundle`: The app that was got, or in which was bought.

    `item`: The number of the item of the app, or of the medium.

    `amount`: The sum of the prices, a decimal such as `9.90`. A refund doesn't change it.
    """

    identifier: str
    seller: str
    bundle: NotRequired[str]
    item: NotRequired[int]
    affiliateToken: NotRequired[str]
    campaignToken: NotRequired[str]
    providerToken: NotRequired[str]
    advertisingPartnerToken: NotRequired[str]
    customProductPage: NotRequired[str]
    purchases: int
    amount: str
    currency: str


class CampaignsAnswer(TypedDict):
    """At most 200 campaigns, in the order of their identifiers."""

    campaigns: list[CampaignAnswer]


class WinBackConditions(TypedDict):
    """The former subscribers who may get a win-back offer, by months ("Set up win-back offers" of App Store
    Connect's help).

    `paidMonths`: The least months for which the customer has paid, in one or several parts: 1 to 60.

    `leastLapsedMonths`: The least and the most months since the subscription has ended: 0 to 24, where 0 is
    from the end on.

    `waitMonths`: The months after which a customer may get a win-back offer of the group again: 2 to 24;
    absent when there is no such wait.
    """

    paidMonths: int
    leastLapsedMonths: int
    mostLapsedMonths: int
    waitMonths: NotRequired[int]


class WinBackCall(TypedDict):
    """Sets the former subscribers who may get a win-back offer.

    `conditions`: Absent for all former subscribers.
    """

    bundle: str
    product: str
    offer: str
    conditions: NotRequired[WinBackConditions]
    priority: Literal["normal", "high"]


class PaymentAnswer(TypedDict):
    """A payment that waits for its customer or a bank.

    `amount`: The amount as a decimal number.

    `action`: The page on which the customer has to act; absent when there is none.

    `expires`: When the store stops waiting, in milliseconds since 1970.
    """

    payment: str
    email: str
    bundle: str
    product: str
    amount: str
    currency: str
    action: NotRequired[str]
    expires: int


class PaymentsAnswer(TypedDict):
    """An answer of the store."""

    payments: list[PaymentAnswer]


class SetPaymentAnswerCall(TypedDict):
    """Sets how the sandbox's payment provider answers the next payments.

    `account`: The e-mail address of an account; absent for all accounts without an answer of their own.

    `answer`: `authorise`, `decline` or `pending`; absent removes the answer.

    `hasAction`: With `pending`: whether the customer has to act on a page.

    `lifetime`: With `pending`: the seconds that the store waits.

    `outcome`: With `pending`: the later answer, `authorise` or `decline`.

    `delay`: The seconds until the later answer.

    `isSentTwice`: Whether each event is sent twice.

    `isOutOfOrder`: Whether an older event is sent after the later answer's.

    `times`: The number of payments that are answered so, such as the next 3; absent without an end.

    `reason`: With `decline`: the sentence for the customer.
    """

    account: NotRequired[str]
    answer: NotRequired[Literal["authorise", "decline", "pending"]]
    hasAction: NotRequired[bool]
    lifetime: NotRequired[int]
    outcome: NotRequired[Literal["authorise", "decline"]]
    delay: NotRequired[int]
    isSentTwice: NotRequired[bool]
    isOutOfOrder: NotRequired[bool]
    times: NotRequired[int]
    reason: NotRequired[str]


class AnswerPaymentCall(TypedDict):
    """Answers a payment in the place of its customer or a bank.

    `isConfirmed`: False declines the payment.
    """

    payment: str
    isConfirmed: bool


class CatalogueLine(TypedDict):
    """A product, a group or a setting, and its change.

    `subject`: A product's identifier, `group` and a group's, or `grace period`.

    `change`: The change, to follow the subject.
    """

    subject: str
    change: str


class ImportCatalogueAnswer(TypedDict):
    """The changes that an import has made, or would make.

    `changes`: The changes, groups before products.

    `leftAlone`: The products that stay, because they were edited in the store.
    """

    changes: list[CatalogueLine]
    leftAlone: list[CatalogueLine]


class ExportCatalogueAnswer(TypedDict):
    """An answer of the store.

    `contents`: The bytes of the file in base64.
    """

    contents: str


class ContactAnswerPlace(TypedDict):
    """The place of a contact in the list.

    `shared`: In milliseconds since 1970.
    """

    transaction: str
    shared: int


class ContactAnswer(TypedDict):
    """A contact, with the purchase for which it was shared.

    `shared`: When the purchase was made, in milliseconds since 1970.
    """

    name: str
    email: str
    postcode: str
    product: str
    transaction: str
    shared: int


class ContactsAnswer(TypedDict):
    """The next contacts, oldest first; empty at the end."""

    contacts: list[ContactAnswer]


class ClockAnswer(TypedDict):
    """The clock of an account.

    `time`: The account's time.

    `offset`: The seconds by which it is ahead of the wall's time; negative when it is behind.

    `speed`: The speed of the renewals, such as `real` or `month=5m`.

    `nextEvent`: The moment of the next event of a subscription; absent when none is known.
    """

    email: str
    time: str
    offset: int
    speed: str
    nextEvent: NotRequired[str]


class SubscriptionPosition(TypedDict):
    """The number of the last event of a subscription that a caller knows."""

    subscription: str
    number: int


class SubscriptionEventsAnswer(TypedDict):
    """An answer of the store.

    `events`: In order of their moments.

    `next`: The place at which the next page begins; absent on the last page.
    """

    events: list[SubscriptionEventAnswer]
    next: NotRequired[list[SubscriptionPosition]]


MoveClockAnswer = TypedDict("MoveClockAnswer", {"from": str, "clock": ClockAnswer, "page": SubscriptionEventsAnswer})
"""The clock after a change, and the first events that have followed."""


class SubscriptionsAnswer(TypedDict):
    """An answer of the store."""

    subscriptions: list[SubscriptionAnswer]


class ExtendedAnswer(TypedDict):
    """A subscription whose running period was extended.

    `subscription`: The first transaction of the subscription.

    `until`: The end of the period.
    """

    subscription: str
    until: str


class NotExtendedAnswer(TypedDict):
    """A subscription that can't be extended.

    `subscription`: The first transaction of the subscription.

    `message`: The reason.
    """

    subscription: str
    message: str


class ExtendSubscribersAnswer(TypedDict):
    """An answer of the store.

    `extended`: Those that are extended, also by an earlier call.

    `next`: The place at which the next page begins; absent on the last page.
    """

    extended: list[ExtendedAnswer]
    refused: list[NotExtendedAnswer]
    next: NotRequired[str]


class SetGracePeriodCall(TypedDict):
    """Sets the grace period of an app; the answer is the same.

    `days`: 0 is none.
    """

    bundle: str
    days: Literal[0, 3, 16, 28]


class ContentVersionPlace(TypedDict):
    """The place of a version in the list."""

    product: str
    version: str


class ContentVersion(TypedDict):
    """A published version of a product's content.

    `isNewest`: Whether devices get this version.

    `bytes`: The bytes of the packed object, and their SHA-256.

    `files`: The number of files, and their bytes.

    `published`: In milliseconds since 1970.
    """

    product: str
    version: str
    isNewest: bool
    bytes: int
    checksum: str
    files: int
    fileBytes: int
    published: int


class ContentsAnswer(TypedDict):
    """The next versions; empty at the end."""

    contents: list[ContentVersion]


class UploadAnswer(TypedDict):
    """An upload, or the version that has the same bytes.

    `upload`: The identifier of the upload; absent if the bytes are published.

    `received`: The bytes that the store has, after which the next part begins.

    `partBytes`: The bytes of each part but the last.

    `published`: The version that has these bytes already; absent while there is none.
    """

    upload: NotRequired[str]
    received: int
    partBytes: int
    published: NotRequired[ContentVersion]


class AbandonUploadAnswer(TypedDict):
    """The upload that was abandoned."""

    upload: str


class KeyAnswer(TypedDict):
    """A key with which a seller's server signs.

    `bundle`: The app that it is valid for; absent for all apps.

    `created`: In milliseconds since 1970.

    `revoked`: In milliseconds since 1970; absent while it is valid.
    """

    key: str
    bundle: NotRequired[str]
    name: str
    created: int
    revoked: NotRequired[int]


class KeysAnswer(TypedDict):
    """All keys, by identifier.

    `issuer`: The UUID that tokens for the App Store Server API name as their issuer.
    """

    issuer: str
    keys: list[KeyAnswer]


class TeamAnswer(TypedDict):
    """A team of Connect."""

    team: str
    name: str
    users: int


class TeamsAnswer(TypedDict):
    """Teams of Connect, by identifier."""

    teams: list[TeamAnswer]


class TeamAddressAnswer(TypedDict):
    """A one-time address."""

    address: str


class ProductReviewAnswer(TypedDict):
    """A product in the queue of the review."""

    bundle: str
    product: str
    state: Literal["waiting", "in-review"]
    submitted: int
    version: int


class ProductReviewsAnswer(TypedDict):
    """The products in the queue, those that were submitted first at the beginning."""

    products: list[ProductReviewAnswer]


class AgreementAnswer(TypedDict):
    """A version of the contract.

    `version`: 1 for the first version; 0 while there is none.

    `published`: In milliseconds since 1970.

    `due`: When the earlier versions aren't in force any more, in milliseconds since 1970.
    """

    version: int
    text: str
    published: int
    due: int


class TeamAgreementAnswer(TypedDict):
    """A team with the state of its contract.

    `version`: The newest version that the team has accepted; absent for none.

    `by`: The account holder who has accepted it.

    `missing`: The values without which the team's products that cost money aren't sold.
    """

    team: str
    name: str
    version: NotRequired[int]
    by: NotRequired[str]
    missing: list[Literal["acceptance", "bank", "tax"]]


class TeamAgreementsAnswer(TypedDict):
    """The teams in the order of their identifiers."""

    teams: list[TeamAgreementAnswer]


class SubmittedValue(TypedDict):
    """A value of a product as the seller has typed it, with its name."""

    name: str
    value: str


class ScreenshotAnswer(TypedDict):
    """A screenshot of a product.

    `width`: In pixels.

    `height`: In pixels.

    `bytes`: The bytes in base64; absent unless the call asks for them.
    """

    type: Literal["image/png", "image/jpeg"]
    width: int
    height: int
    bytes: NotRequired[str]


class SubmissionAnswer(TypedDict):
    """All that a seller has submitted of a product.

    `submitted`: In milliseconds since 1970; absent outside of the queue.

    `version`: The number of the product's changes.

    `note`: The seller's note for the reviewer; empty without one.

    `reason`: The reason of a rejection.
    """

    bundle: str
    app: str
    team: str
    product: str
    kind: str
    state: Literal["prepared", "waiting", "in-review", "approved", "rejected"]
    submitted: NotRequired[int]
    version: int
    note: str
    reason: NotRequired[str]
    values: list[SubmittedValue]
    screenshot: NotRequired[ScreenshotAnswer]


class ReviewAnswer(TypedDict):
    """The review of a product after a decision."""

    state: Literal["in-review", "approved", "rejected"]


class CodeBatchAnswer(TypedDict):
    """A batch of codes. Times are in milliseconds since 1970.

    `product`: Empty for promo codes of the app itself.

    `offer`: Absent for promo codes.

    `limit`: How often each code can be redeemed.

    `isComplete`: Whether all codes are made; the creation of others has to be repeated.

    `redeemed`: The redemptions of all codes together.

    `expires`: Absent for codes without an end.

    `revoked`: Absent while they aren't revoked.
    """

    batch: str
    bundle: str
    product: str
    kind: str
    offer: NotRequired[str]
    name: str
    size: int
    limit: int
    isComplete: bool
    redeemed: int
    created: int
    expires: NotRequired[int]
    revoked: NotRequired[int]


class CodesAnswer(TypedDict):
    """The batches of an app, oldest first."""

    batches: list[CodeBatchAnswer]


class CreateCodesAnswer(TypedDict):
    """The codes of a new batch, in the order of their numbers."""

    batch: CodeBatchAnswer
    codes: list[str]


class RedeemedCodesAnswerCode(TypedDict):
    """A code, by its number in the batch, from 0."""

    number: int
    redeemed: int


class RedeemedCodesAnswer(TypedDict):
    """The redeemed codes of a batch.

    `codes`: In the order of their numbers.
    """

    batch: CodeBatchAnswer
    codes: list[RedeemedCodesAnswerCode]


class Control:
    """The calls of the remote control. Each raises `ControlError` when the store refuses it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(self, verb: str, /, **fields: Any) -> Any:
        """Sends a call without the fields that are `None`."""
        return self._transport.call(verb, {name: value for name, value in fields.items() if value is not None})

    def notification_addresses(self) -> NotificationAddressesAnswer:
        """List the addresses that receive notifications."""
        return cast(NotificationAddressesAnswer, self._call("notification-addresses"))

    def add_notification_address(
        self, *, url: str, bundle: str | None = None, version: Literal[1, 2] | None = None
    ) -> NotificationAddressesAnswer:
        """Add an address that receives notifications.

        It begins with https://, or with http:// and is of this computer. A store has at most 20.

        `url`: At most 1024 bytes.

        `bundle`: The app; all apps when absent.

        `version`: The version of App Store Server Notifications, for an address that is added; 2 when absent,
        or that of an address that exists.
        """
        return cast(
            NotificationAddressesAnswer, self._call("add-notification-address", url=url, bundle=bundle, version=version)
        )

    def remove_notification_address(
        self, *, url: str, bundle: str | None = None, version: Literal[1, 2] | None = None
    ) -> NotificationAddressesAnswer:
        """Remove an address that receives notifications.

        `url`: At most 1024 bytes.

        `bundle`: The app; all apps when absent.

        `version`: The version of App Store Server Notifications, for an address that is added; 2 when absent,
        or that of an address that exists.
        """
        return cast(
            NotificationAddressesAnswer,
            self._call("remove-notification-address", url=url, bundle=bundle, version=version),
        )

    def notifications(self, *, bundle: str | None = None, after: str | None = None) -> NotificationsAnswer:
        """List the notifications, newest first.

        At most 100; the next page follows the last notification.

        `bundle`: The app; all apps when absent.

        `after`: Lists those before the one with this identifier; from the newest when absent.
        """
        return cast(NotificationsAnswer, self._call("notifications", bundle=bundle, after=after))

    def show_notification(self, *, notification: str) -> NotificationAnswer:
        """Show a notification with its payload and attempts."""
        return cast(NotificationAnswer, self._call("show-notification", notification=notification))

    def resend_notification(self, *, notification: str) -> NotificationAnswer:
        """Send a notification again, with the same bytes."""
        return cast(NotificationAnswer, self._call("resend-notification", notification=notification))

    def settle_notifications(self, *, bundle: str | None = None, limit: int | None = None) -> SettleNotificationsAnswer:
        """Send the notifications that are due, and wait until none is.

        An attempt that is under way at the end of the time is completed.

        `bundle`: The app; all apps when absent.

        `limit`: How long to wait, in milliseconds; 10000 when absent.
        """
        return cast(SettleNotificationsAnswer, self._call("settle-notifications", bundle=bundle, limit=limit))

    def delivery_modes(self) -> DeliveryModesAnswer:
        """List how notifications are delivered, where it isn't as usual."""
        return cast(DeliveryModesAnswer, self._call("delivery-modes"))

    def set_delivery_mode(
        self,
        *,
        account: str | None = None,
        is_sent_twice: bool | None = None,
        is_out_of_order: bool | None = None,
        delay: int | None = None,
        is_dropped: bool | None = None,
        failures: int | None = None,
    ) -> DeliveryModesAnswer:
        """Set how the next notifications are delivered.

        A mode applies to the notifications whose changes happen while it is set. Without any field but
        account, notifications are delivered as usual again, and those that wait are sent.

        `account`: The e-mail address of an account; absent for all accounts without a mode of their own.

        `is_sent_twice`: Whether an address receives each notification twice.

        `is_out_of_order`: Whether a notification waits for the next one of its original transaction, and is
        sent after it. Not with delay.

        `delay`: The seconds from the cause to the first attempt, in the account's time.

        `is_dropped`: Whether notifications aren't sent. Not with another mode.

        `failures`: The number of attempts of each notification that fail as if the address answered with the
        status 500.
        """
        return cast(
            DeliveryModesAnswer,
            self._call(
                "set-delivery-mode",
                account=account,
                isSentTwice=is_sent_twice,
                isOutOfOrder=is_out_of_order,
                delay=delay,
                isDropped=is_dropped,
                failures=failures,
            ),
        )

    def listen(
        self,
        *,
        listener: str,
        bundle: str | None = None,
        taken: list[TakenNotification] | None = None,
        limit: int | None = None,
        version: Literal[1, 2] | None = None,
    ) -> NotificationsAnswer:
        """Take the next notifications, instead of an address.

        The first call begins; it gets the notifications of later changes. At most 20, in the order of their
        causes, each until a call has it in taken. A listener that doesn't call for ten minutes is forgotten,
        and a store has at most 20.

        `listener`: The caller has drawn it.

        `bundle`: The app; all apps when absent. It stays the same for a listener.

        `taken`: The notifications of earlier answers, which the caller has handled.

        `limit`: How long to wait for a notification, in milliseconds; 5000 when absent.

        `version`: The version of the notifications; 2 when absent.
        """
        return cast(
            NotificationsAnswer,
            self._call("listen", listener=listener, bundle=bundle, taken=taken, limit=limit, version=version),
        )

    def stop_listening(self, *, listener: str, bundle: str | None = None) -> None:
        """End a listener.

        Notifications that it hasn't taken are dropped.
        """
        self._call("stop-listening", listener=listener, bundle=bundle)

    def trigger(self, *, type: str, bundle: str, email: str | None = None) -> TriggerAnswer:
        """Cause a notification by a history that fits it.

        A new tester, or the given one, buys, and time passes for the tester, until the store has caused the
        notification.

        `type`: With the subtype after a slash if it has one, as in DID_RENEW/BILLING_RECOVERY.

        `email`: The tester; a new one when absent.
        """
        return cast(TriggerAnswer, self._call("trigger", type=type, bundle=bundle, email=email))

    def approve(self, *, transaction: str) -> TransactionAnswer:
        """Approve a request to buy."""
        return cast(TransactionAnswer, self._call("approve", transaction=transaction))

    def decline(self, *, transaction: str) -> TransactionAnswer:
        """Decline a request to buy."""
        return cast(TransactionAnswer, self._call("decline", transaction=transaction))

    def resolve(self, *, transaction: str) -> TransactionAnswer:
        """Continue an interrupted purchase."""
        return cast(TransactionAnswer, self._call("resolve", transaction=transaction))

    def refund(
        self, *, transaction: str, amount: str | None = None, identifier: str | None = None
    ) -> TransactionAnswer:
        """Refund a purchase, or a part of its price.

        `amount`: A decimal such as `0.99`, in the currency of the purchase; all that is left when absent.

        `identifier`: 16 bytes in lower-case hexadecimal, by which a repeated call is recognised and carried
        out once.
        """
        return cast(
            TransactionAnswer, self._call("refund", transaction=transaction, amount=amount, identifier=identifier)
        )

    def reverse_refund(self, *, transaction: str, identifier: str | None = None) -> TransactionAnswer:
        """Take back the refund that has revoked a purchase.

        The customer pays the price again and has the product again, also the members of the family. Sellers'
        servers get REFUND_REVERSED.

        `identifier`: 16 bytes in lower-case hexadecimal, by which a repeated call is recognised and carried
        out once.
        """
        return cast(TransactionAnswer, self._call("reverse-refund", transaction=transaction, identifier=identifier))

    def revoke(self, *, transaction: str) -> TransactionAnswer:
        """Take a shared purchase away from a member of a family, without a refund.

        The member doesn't get it again from the same account while both are in the family. Sellers' servers
        get REVOKE.
        """
        return cast(TransactionAnswer, self._call("revoke", transaction=transaction))

    def refund_requests(self, *, after: str | None = None) -> RefundRequestsAnswer:
        """List the customers' requests for refunds that wait.

        At most 200, oldest first; the next page follows the last request.

        `after`: Lists those after the one with this identifier; from the oldest when absent.
        """
        return cast(RefundRequestsAnswer, self._call("refund-requests", after=after))

    def approve_refund(self, *, request: str, amount: str | None = None) -> RefundRequestAnswer:
        """Approve a request for a refund, and refund the purchase.

        `amount`: A decimal such as 0.99, in the currency of the purchase; all that is left when absent. A
        repeated call names the same amount.
        """
        return cast(RefundRequestAnswer, self._call("approve-refund", request=request, amount=amount))

    def decline_refund(self, *, request: str) -> RefundRequestAnswer:
        """Decline a request for a refund."""
        return cast(RefundRequestAnswer, self._call("decline-refund", request=request))

    def buy(
        self,
        *,
        email: str,
        bundle: str,
        product: str,
        quantity: int | None = None,
        request: str | None = None,
        account_token: str | None = None,
        discount: Discount | None = None,
        offer: str | None = None,
        win_back_offer: str | None = None,
    ) -> TransactionAnswer:
        """Buy a product without a device.

        Runs the steps of a device and of its payment sheet. A declined payment is answered with 402.

        `email`: The account that buys, and pays.

        `quantity`: 1 when absent.

        `request`: Identifies the purchase of the account: a repeated call makes one purchase. Absent for
        another purchase with each call.

        `account_token`: The app's own name for its user (`applicationUsername`); one that is a UUID is the
        `appAccountToken`.

        `discount`: A promotional offer.

        `offer`: The identifier of a promotional offer, for which the call needs no signature. At most one of
        `discount`, `offer` and `winBackOffer`.

        `win_back_offer`: The identifier of a win-back offer.
        """
        return cast(
            TransactionAnswer,
            self._call(
                "buy",
                email=email,
                bundle=bundle,
                product=product,
                quantity=quantity,
                request=request,
                accountToken=account_token,
                discount=discount,
                offer=offer,
                winBackOffer=win_back_offer,
            ),
        )

    def redeem(self, *, email: str, bundle: str, code: str, request: str | None = None) -> TransactionAnswer:
        """Redeem a code without a device.

        Runs the steps of a device and of its sheet for codes.

        `email`: The account that gets the product.

        `request`: Identifies the redemption of the account: a repeated call redeems once. Absent for another
        one with each call.
        """
        return cast(TransactionAnswer, self._call("redeem", email=email, bundle=bundle, code=code, request=request))

    def charges(self, *, transaction: str) -> ChargesAnswer:
        """List the charges and the refunds of a purchase."""
        return cast(ChargesAnswer, self._call("charges", transaction=transaction))

    def finish(self, *, transaction: str) -> TransactionAnswer:
        """Finish a transaction on all devices."""
        return cast(TransactionAnswer, self._call("finish", transaction=transaction))

    def restore(self, *, email: str, bundle: str, request: str | None = None) -> RestoredPurchasesAnswer:
        """Restore the purchases of an account in an app.

        `request`: Identifies the restore: a repeated call gets the same transactions. Absent for another
        restore with each call.
        """
        return cast(RestoredPurchasesAnswer, self._call("restore", email=email, bundle=bundle, request=request))

    def choose_plan(self, *, transaction: str, product: str) -> SubscriptionAnswer:
        """Choose the product of the next period.

        `transaction`: Any transaction of the subscription.

        `product`: A product of the same group.
        """
        return cast(SubscriptionAnswer, self._call("choose-plan", transaction=transaction, product=product))

    def share_subscription(self, *, transaction: str, is_shared: bool) -> SubscriptionAnswer:
        """Share a subscription with the family, or not.

        `transaction`: Any transaction of the subscription.
        """
        return cast(SubscriptionAnswer, self._call("share-subscription", transaction=transaction, isShared=is_shared))

    def expire_subscription(self, *, transaction: str) -> SubscriptionAnswer:
        """End a subscription now."""
        return cast(SubscriptionAnswer, self._call("expire-subscription", transaction=transaction))

    def renew_subscription(self, *, transaction: str) -> SubscriptionAnswer:
        """End the running period, and charge the next one now."""
        return cast(SubscriptionAnswer, self._call("renew-subscription", transaction=transaction))

    def ask_refund(
        self,
        *,
        transaction: str,
        reason: Literal["unintended", "child", "missing", "broken", "unsatisfied", "legal", "other"],
        comment: str | None = None,
    ) -> RefundRequestAnswer:
        """Ask for a refund as the customer.

        `reason`: `unintended`, `child`, `missing`, `broken`, `unsatisfied`, `legal` or `other`.

        `comment`: The customer's words.
        """
        return cast(
            RefundRequestAnswer, self._call("ask-refund", transaction=transaction, reason=reason, comment=comment)
        )

    def clear_purchases(self, *, email: str) -> ClearPurchasesAnswer:
        """Delete the purchases of an account."""
        return cast(ClearPurchasesAnswer, self._call("clear-purchases", email=email))

    def rotate_certificates(self) -> RotateCertificatesAnswer:
        """Sign with new certificates from now on."""
        return cast(RotateCertificatesAnswer, self._call("rotate-certificates"))

    def reset(self) -> None:
        """Empty the store, and keep its catalogue.

        Accounts, devices, purchases, subscriptions, payments, codes and scheduled prices are deleted. The
        catalogue, hosted content, the sellers' keys, the signing authority and the operator's settings stay.
        """
        self._call("reset")

    def requests(self, *, after: str | None = None) -> RequestsAnswer:
        """List the requests that wait for a decision.

        At most 200; the next page follows the last number.

        `after`: Lists requests with numbers after this one; from the first when absent.
        """
        return cast(RequestsAnswer, self._call("requests", after=after))

    def account(
        self,
        *,
        email: str,
        storefront: str | None = None,
        name: str | None = None,
        locale: str | None = None,
        password_rule: str | None = None,
        is_barred: bool | None = None,
        asks_to_buy: bool | None = None,
        interrupts_purchases: bool | None = None,
        declines_payments: bool | None = None,
        retries_notifications: bool | None = None,
    ) -> AccountAnswer:
        """Change an account's settings.

        `storefront`: The country, in three letters.

        `name`: An empty name removes the name.

        `locale`: A language such as de or de_DE; an empty one removes it.

        `password_rule`: always, after-15-minutes or never-for-free.

        `is_barred`: The store sells nothing to it.

        `asks_to_buy`: Another person has to approve its purchases.

        `interrupts_purchases`: Its purchases are interrupted.

        `declines_payments`: Its payments are declined.

        `retries_notifications`: A notification that wasn't received is sent again, 1, 12, 24, 48 and 72 hours
        of its time after the last attempt.
        """
        return cast(
            AccountAnswer,
            self._call(
                "account",
                email=email,
                storefront=storefront,
                name=name,
                locale=locale,
                passwordRule=password_rule,
                isBarred=is_barred,
                asksToBuy=asks_to_buy,
                interruptsPurchases=interrupts_purchases,
                declinesPayments=declines_payments,
                retriesNotifications=retries_notifications,
            ),
        )

    def add_account(
        self, *, email: str, password: str, storefront: str, name: str | None = None, locale: str | None = None
    ) -> NewAccountAnswer:
        """Add an account.

        `storefront`: The country, in three letters.

        `locale`: A language such as de or de_DE.
        """
        return cast(
            NewAccountAnswer,
            self._call("add-account", email=email, password=password, storefront=storefront, name=name, locale=locale),
        )

    def close_account(self, *, email: str) -> CloseAccountAnswer:
        """Close an account."""
        return cast(CloseAccountAnswer, self._call("close-account", email=email))

    def accounts(self, *, after: str | None = None) -> AccountsAnswer:
        """List accounts."""
        return cast(AccountsAnswer, self._call("accounts", after=after))

    def show_account(self, *, email: str) -> AccountAnswer:
        """Show an account."""
        return cast(AccountAnswer, self._call("show-account", email=email))

    def payment_methods(self, *, email: str) -> PaymentMethodsAnswer:
        """List the payment methods of an account."""
        return cast(PaymentMethodsAnswer, self._call("payment-methods", email=email))

    def add_payment_method(self, *, email: str, card: str, is_preferred: bool | None = None) -> PaymentMethodsAnswer:
        """Add a test method to an account.

        `card`: accepted, declined, bank or expiring.

        `is_preferred`: Whether later payments are charged by it.
        """
        return cast(
            PaymentMethodsAnswer, self._call("add-payment-method", email=email, card=card, isPreferred=is_preferred)
        )

    def prefer_payment_method(self, *, email: str, method: str) -> PaymentMethodsAnswer:
        """Charge later payments by a method.

        `method`: The identifier of the method.
        """
        return cast(PaymentMethodsAnswer, self._call("prefer-payment-method", email=email, method=method))

    def remove_payment_method(self, *, email: str, method: str) -> PaymentMethodsAnswer:
        """Remove a payment method.

        `method`: The identifier of the method.
        """
        return cast(PaymentMethodsAnswer, self._call("remove-payment-method", email=email, method=method))

    def family(self, *, email: str) -> FamilyAnswer:
        """Show the family of an account."""
        return cast(FamilyAnswer, self._call("family", email=email))

    def begin_family(self, *, email: str) -> FamilyAnswer:
        """Begin a family."""
        return cast(FamilyAnswer, self._call("begin-family", email=email))

    def add_family_member(self, *, email: str, role: str, organiser: str | None = None) -> FamilyAnswer:
        """Add an account to a family.

        `role`: parent, adult or child.

        `organiser`: The e-mail address of the organiser; absent to change a role.
        """
        return cast(FamilyAnswer, self._call("add-family-member", email=email, role=role, organiser=organiser))

    def set_family_role(self, *, email: str, role: str, organiser: str | None = None) -> FamilyAnswer:
        """Give a member another role.

        `role`: parent, adult or child.

        `organiser`: The e-mail address of the organiser; absent to change a role.
        """
        return cast(FamilyAnswer, self._call("set-family-role", email=email, role=role, organiser=organiser))

    def remove_family_member(self, *, email: str) -> FamilyAnswer:
        """Remove a member."""
        return cast(FamilyAnswer, self._call("remove-family-member", email=email))

    def end_family(self, *, email: str) -> FamilyAnswer:
        """End a family."""
        return cast(FamilyAnswer, self._call("end-family", email=email))

    def product(self, *, bundle: str, product: str, not_sold_in: list[str]) -> None:
        """Set where a product isn't sold.

        `not_sold_in`: Countries, in three letters.
        """
        self._call("product", bundle=bundle, product=product, notSoldIn=not_sold_in)

    def product_price(
        self, *, bundle: str, product: str, storefront: str | None = None, price: str | None = None
    ) -> ProductPriceAnswer:
        """Set a price that applies now.

        `storefront`: The country of the price, in three letters; the base price when absent.

        `price`: A decimal such as `0.99`. When it is absent, the storefront's price is removed, so that the
        base price applies there.
        """
        return cast(
            ProductPriceAnswer,
            self._call("product-price", bundle=bundle, product=product, storefront=storefront, price=price),
        )

    def schedule_price(
        self,
        *,
        bundle: str,
        product: str,
        price: str,
        storefront: str | None = None,
        starts: str | None = None,
        subscribers: Literal["keep", "change"] | None = None,
        consent: Literal["rule", "needed", "told"] | None = None,
    ) -> PriceChangeAnswer:
        """Schedule a price.

        `price`: A decimal such as `0.99`.

        `storefront`: The country of the price, in three letters; the base price when absent.

        `starts`: The moment from which the price applies, at most two years ahead; now when absent.

        `subscribers`: `keep`, also when absent, or `change`.

        `consent`: `rule`, also when absent, `needed` or `told`.
        """
        return cast(
            PriceChangeAnswer,
            self._call(
                "schedule-price",
                bundle=bundle,
                product=product,
                price=price,
                storefront=storefront,
                starts=starts,
                subscribers=subscribers,
                consent=consent,
            ),
        )

    def price_changes(self, *, bundle: str, product: str) -> PriceChangesAnswer:
        """List the scheduled prices of a product."""
        return cast(PriceChangesAnswer, self._call("price-changes", bundle=bundle, product=product))

    def cancel_price(self, *, change: str) -> CancelPriceCall:
        """Cancel a scheduled price.

        `change`: The identifier of the change.
        """
        return cast(CancelPriceCall, self._call("cancel-price", change=change))

    def ask_price_consent(self, *, transaction: str, price: str | None = None) -> SubscriptionAnswer:
        """Ask a subscriber for consent to a price.

        `transaction`: Any transaction of the subscription.

        `price`: A decimal such as `0.99`; the price of the catalogue when absent.
        """
        return cast(SubscriptionAnswer, self._call("ask-price-consent", transaction=transaction, price=price))

    def answer_price_consent(self, *, transaction: str, agrees: bool) -> SubscriptionAnswer:
        """Answer a price increase as the customer.

        `transaction`: Any transaction of the subscription.
        """
        return cast(SubscriptionAnswer, self._call("answer-price-consent", transaction=transaction, agrees=agrees))

    def items(self, *, after: int | None = None) -> ItemsAnswer:
        """List the items.

        `after`: Lists items with identifiers after this one; from the first when absent.
        """
        return cast(ItemsAnswer, self._call("items", after=after))

    def add_item(
        self,
        *,
        item: int,
        kind: str,
        seller: str,
        link: str,
        price: str,
        texts: dict[str, ItemCallText],
        bundle: str | None = None,
        version: str | None = None,
        prices: dict[str, str] | None = None,
        not_sold_in: list[str] | None = None,
        first_day: str | None = None,
        icon: str | None = None,
        screenshots: list[str] | None = None,
    ) -> ItemAnswer:
        """Add an item, or replace it.

        `item`: The number in the address of the page.

        `kind`: `app`, `song`, `album`, `movie`, `book` or `podcast`.

        `link`: The seller's https address for those who have bought it.

        `price`: The base price, a decimal such as `0.99`.

        `texts`: The texts by locale, such as `en_US`.

        `bundle`: The bundle identifier of an app.

        `version`: The version that is sold; when absent, that of the item, and `1.0` for a new one.

        `prices`: Prices by country, in three letters.

        `not_sold_in`: The countries in which it isn't sold, in three letters.

        `first_day`: The first day on which it is sold (UTC), such as `2026-12-31`; it has none when absent.

        `icon`: The bytes of an image in base64: PNG, JPEG or WebP.

        `screenshots`: The bytes of at most 8 images in base64.
        """
        return cast(
            ItemAnswer,
            self._call(
                "add-item",
                item=item,
                kind=kind,
                seller=seller,
                link=link,
                price=price,
                texts=texts,
                bundle=bundle,
                version=version,
                prices=prices,
                notSoldIn=not_sold_in,
                firstDay=first_day,
                icon=icon,
                screenshots=screenshots,
            ),
        )

    def promote_products(self, *, bundle: str, products: list[str]) -> PromoteCall:
        """Set the products that the page of an app promotes.

        `products`: At most 20 products, in the seller's order.
        """
        return cast(PromoteCall, self._call("promote-products", bundle=bundle, products=products))

    def campaigns(self, *, seller: str | None = None, after: str | None = None) -> CampaignsAnswer:
        """List the purchases after clicks on links with tokens.

        `seller`: Lists the campaigns of one seller, by the name of an item's seller or of an app without an
        item; all when absent.

        `after`: Lists campaigns with identifiers after this one; from the first when absent.
        """
        return cast(CampaignsAnswer, self._call("campaigns", seller=seller, after=after))

    def win_back(
        self,
        *,
        bundle: str,
        product: str,
        offer: str,
        priority: Literal["normal", "high"],
        conditions: WinBackConditions | None = None,
    ) -> WinBackCall:
        """Set who may get a win-back offer.

        `conditions`: Absent for all former subscribers.
        """
        return cast(
            WinBackCall,
            self._call(
                "win-back", bundle=bundle, product=product, offer=offer, priority=priority, conditions=conditions
            ),
        )

    def payments(self) -> PaymentsAnswer:
        """List pending payments."""
        return cast(PaymentsAnswer, self._call("payments"))

    def set_payment_answer(
        self,
        *,
        account: str | None = None,
        answer: Literal["authorise", "decline", "pending"] | None = None,
        has_action: bool | None = None,
        lifetime: int | None = None,
        outcome: Literal["authorise", "decline"] | None = None,
        delay: int | None = None,
        is_sent_twice: bool | None = None,
        is_out_of_order: bool | None = None,
        times: int | None = None,
        reason: str | None = None,
    ) -> SetPaymentAnswerCall:
        """Set how the sandbox's payment provider answers.

        `account`: The e-mail address of an account; absent for all accounts without an answer of their own.

        `answer`: `authorise`, `decline` or `pending`; absent removes the answer.

        `has_action`: With `pending`: whether the customer has to act on a page.

        `lifetime`: With `pending`: the seconds that the store waits.

        `outcome`: With `pending`: the later answer, `authorise` or `decline`.

        `delay`: The seconds until the later answer.

        `is_sent_twice`: Whether each event is sent twice.

        `is_out_of_order`: Whether an older event is sent after the later answer's.

        `times`: The number of payments that are answered so, such as the next 3; absent without an end.

        `reason`: With `decline`: the sentence for the customer.
        """
        return cast(
            SetPaymentAnswerCall,
            self._call(
                "set-payment-answer",
                account=account,
                answer=answer,
                hasAction=has_action,
                lifetime=lifetime,
                outcome=outcome,
                delay=delay,
                isSentTwice=is_sent_twice,
                isOutOfOrder=is_out_of_order,
                times=times,
                reason=reason,
            ),
        )

    def answer_payment(self, *, payment: str, is_confirmed: bool) -> AnswerPaymentCall:
        """Answer a pending payment as the customer's bank.

        `is_confirmed`: False declines the payment.
        """
        return cast(AnswerPaymentCall, self._call("answer-payment", payment=payment, isConfirmed=is_confirmed))

    def import_catalogue(
        self, *, bundle: str, name: str, contents: str, overwrites_edits: bool, is_trial: bool
    ) -> ImportCatalogueAnswer:
        """Import or compare a configuration file.

        The only call whose body may have 8 MiB.

        `bundle`: The app's bundle identifier.

        `name`: The file's name, for messages.

        `contents`: The bytes of the file in base64.

        `overwrites_edits`: Whether products that were edited in the store become those of the file too.

        `is_trial`: Whether the file is only compared.
        """
        return cast(
            ImportCatalogueAnswer,
            self._call(
                "import-catalogue",
                bundle=bundle,
                name=name,
                contents=contents,
                overwritesEdits=overwrites_edits,
                isTrial=is_trial,
            ),
        )

    def export_catalogue(self, *, bundle: str) -> ExportCatalogueAnswer:
        """Export an app's products as a configuration file.

        `bundle`: The app's bundle identifier.
        """
        return cast(ExportCatalogueAnswer, self._call("export-catalogue", bundle=bundle))

    def subscription_contacts(self, *, bundle: str, after: ContactAnswerPlace | None = None) -> ContactsAnswer:
        """List the contacts that customers have shared.

        `bundle`: The app's bundle identifier.

        `after`: The last contact of the page before; the first page when absent.
        """
        return cast(ContactsAnswer, self._call("subscription-contacts", bundle=bundle, after=after))

    def clock(self, *, email: str) -> ClockAnswer:
        """Read an account's clock."""
        return cast(ClockAnswer, self._call("clock", email=email))

    def move_clock(
        self,
        *,
        email: str,
        to: str | None = None,
        by: str | None = None,
        to_next_event: bool | None = None,
        speed: str | None = None,
    ) -> MoveClockAnswer:
        """Move an account's clock.

        `to`: A moment, such as `2026-03-01T00:00:00Z` or `2026-03-01`.

        `by`: A length of time, such as `3d`, `12h` or `1y2w`.
        """
        return cast(
            MoveClockAnswer, self._call("move-clock", email=email, to=to, by=by, toNextEvent=to_next_event, speed=speed)
        )

    def subscriptions(self, *, email: str, bundle: str | None = None) -> SubscriptionsAnswer:
        """List an account's subscriptions.

        `bundle`: The bundle identifier of an app; absent for all apps.
        """
        return cast(SubscriptionsAnswer, self._call("subscriptions", email=email, bundle=bundle))

    def subscription_events(
        self, *, email: str, after: list[SubscriptionPosition], waits: bool | None = None
    ) -> SubscriptionEventsAnswer:
        """List the events of an account's subscriptions.

        `after`: The `next` of the page before; all events follow an empty list.

        `waits`: Whether the steps that are due are carried out first, for at most 20 seconds.
        """
        return cast(SubscriptionEventsAnswer, self._call("subscription-events", email=email, after=after, waits=waits))

    def set_renewal(self, *, transaction: str, renews: bool) -> SubscriptionAnswer:
        """Turn the renewal on or off.

        `transaction`: Any transaction of the subscription.
        """
        return cast(SubscriptionAnswer, self._call("set-renewal", transaction=transaction, renews=renews))

    def extend_subscription(
        self,
        *,
        transaction: str,
        days: int,
        reason: Literal["undeclared", "satisfaction", "other", "outage"],
        identifier: str,
    ) -> ExtendedAnswer:
        """Extend a running period.

        `transaction`: Any transaction of the subscription.

        `identifier`: 1 to 128 bytes, by which a repeated call is recognised and carried out once.
        """
        return cast(
            ExtendedAnswer,
            self._call("extend-subscription", transaction=transaction, days=days, reason=reason, identifier=identifier),
        )

    def extend_subscribers(
        self,
        *,
        bundle: str,
        product: str,
        days: int,
        reason: Literal["undeclared", "satisfaction", "other", "outage"],
        identifier: str,
        after: str | None = None,
    ) -> ExtendSubscribersAnswer:
        """Extend the running periods of a product's subscribers.

        `identifier`: 1 to 128 bytes, the same for all pages. A repeated call extends no subscription again.

        `after`: The `next` of the page before; absent for the first page.
        """
        return cast(
            ExtendSubscribersAnswer,
            self._call(
                "extend-subscribers",
                bundle=bundle,
                product=product,
                days=days,
                reason=reason,
                identifier=identifier,
                after=after,
            ),
        )

    def set_grace_period(self, *, bundle: str, days: Literal[0, 3, 16, 28]) -> SetGracePeriodCall:
        """Set an app's grace period.

        `days`: 0 is none.
        """
        return cast(SetGracePeriodCall, self._call("set-grace-period", bundle=bundle, days=days))

    def content(self, *, bundle: str, after: ContentVersionPlace | None = None) -> ContentsAnswer:
        """List an app's hosted content.

        `after`: The place of the last version of the page before; the first page when absent.
        """
        return cast(ContentsAnswer, self._call("content", bundle=bundle, after=after))

    def begin_content_upload(
        self, *, bundle: str, product: str, version: str, bytes: int, checksum: str
    ) -> UploadAnswer:
        """Begin an upload, or find it again.

        `bytes`: The bytes of the packed object.

        `checksum`: The SHA-256 of the packed object.
        """
        return cast(
            UploadAnswer,
            self._call(
                "begin-content-upload", bundle=bundle, product=product, version=version, bytes=bytes, checksum=checksum
            ),
        )

    def publish_content_upload(self, *, upload: str) -> ContentVersion:
        """Check and publish an upload."""
        return cast(ContentVersion, self._call("publish-content-upload", upload=upload))

    def abandon_content_upload(self, *, upload: str) -> AbandonUploadAnswer:
        """Abandon an upload."""
        return cast(AbandonUploadAnswer, self._call("abandon-content-upload", upload=upload))

    def remove_content(self, *, bundle: str, product: str, version: str | None = None) -> ContentsAnswer:
        """Remove versions of a content.

        `version`: All versions when absent.
        """
        return cast(ContentsAnswer, self._call("remove-content", bundle=bundle, product=product, version=version))

    def keys(self) -> KeysAnswer:
        """List the sellers' keys."""
        return cast(KeysAnswer, self._call("keys"))

    def register_key(self, *, key: str, name: str, public_key: str) -> KeysAnswer:
        """Register a seller's public key.

        `public_key`: The public key of P-256 as X9.63 writes it, in base64.
        """
        return cast(KeysAnswer, self._call("register-key", key=key, name=name, publicKey=public_key))

    def revoke_key(self, *, key: str) -> KeysAnswer:
        """Revoke a key."""
        return cast(KeysAnswer, self._call("revoke-key", key=key))

    def teams(self, *, after: str | None = None) -> TeamsAnswer:
        """List the teams of Connect.

        `after`: The team after which the page begins.
        """
        return cast(TeamsAnswer, self._call("teams", after=after))

    def add_team(self) -> TeamAddressAnswer:
        """Make a one-time address at which another team is set up."""
        return cast(TeamAddressAnswer, self._call("add-team"))

    def recover_team_user(self, *, email: str) -> TeamAddressAnswer:
        """Make a one-time address for a new password of a user of Connect."""
        return cast(TeamAddressAnswer, self._call("recover-team-user", email=email))

    def product_reviews(self, *, after: ProductReviewAnswer | None = None) -> ProductReviewsAnswer:
        """List the products that wait for the review."""
        return cast(ProductReviewsAnswer, self._call("product-reviews", after=after))

    def agreement(self) -> AgreementAnswer:
        """Show the newest version of the contract with the sellers."""
        return cast(AgreementAnswer, self._call("agreement"))

    def publish_agreement(self, *, text: str, days: int | None = None) -> AgreementAnswer:
        """Publish a version of the contract with the sellers.

        `days`: The days until the earlier version isn't in force any more; 30 if they are missing.
        """
        return cast(AgreementAnswer, self._call("publish-agreement", text=text, days=days))

    def team_agreements(self, *, after: str | None = None) -> TeamAgreementsAnswer:
        """List the teams with the state of their contracts."""
        return cast(TeamAgreementsAnswer, self._call("team-agreements", after=after))

    def show_review(self, *, bundle: str, product: str, with_screenshot: bool | None = None) -> SubmissionAnswer:
        """Show all that a seller has submitted of a product.

        `with_screenshot`: Whether the answer has the bytes of the screenshot.
        """
        return cast(
            SubmissionAnswer, self._call("show-review", bundle=bundle, product=product, withScreenshot=with_screenshot)
        )

    def review_product(
        self,
        *,
        bundle: str,
        product: str,
        decision: Literal["begin", "approve", "reject"],
        reason: str | None = None,
        version: int | None = None,
    ) -> ReviewAnswer:
        """Decide about a product that waits for the review.

        `reason`: The changes that the seller has to make; required to reject.

        `version`: The version that was looked at; the present one if it is missing.
        """
        return cast(
            ReviewAnswer,
            self._call(
                "review-product", bundle=bundle, product=product, decision=decision, reason=reason, version=version
            ),
        )

    def codes(self, *, bundle: str) -> CodesAnswer:
        """List the batches of codes of an app."""
        return cast(CodesAnswer, self._call("codes", bundle=bundle))

    def create_codes(
        self,
        *,
        batch: str,
        bundle: str,
        product: str,
        kind: Literal["one-time", "custom", "promo"],
        name: str,
        offer: str | None = None,
        size: int | None = None,
        limit: int | None = None,
        expires: int | None = None,
        seed: str | None = None,
        code: str | None = None,
    ) -> CreateCodesAnswer:
        """Make a batch of codes.

        `batch`: 1 to 64 letters, digits and hyphens.

        `product`: Empty for promo codes of the app itself.

        `kind`: `one-time`, `custom` or `promo`.

        `name`: The seller's own name for the batch.

        `offer`: The name of the product's code offer; absent for promo codes.

        `size`: The number of drawn codes; 1 when absent.

        `limit`: The most redemptions of a custom code; 1 when absent.

        `expires`: The end of the codes in milliseconds since 1970.

        `seed`: 32 random bytes in base64, for codes that are drawn.

        `code`: The text of a custom code.
        """
        return cast(
            CreateCodesAnswer,
            self._call(
                "create-codes",
                batch=batch,
                bundle=bundle,
                product=product,
                kind=kind,
                name=name,
                offer=offer,
                size=size,
                limit=limit,
                expires=expires,
                seed=seed,
                code=code,
            ),
        )

    def redeemed_codes(self, *, batch: str) -> RedeemedCodesAnswer:
        """List the redeemed codes of a batch."""
        return cast(RedeemedCodesAnswer, self._call("redeemed-codes", batch=batch))

    def revoke_codes(self, *, batch: str) -> CodeBatchAnswer:
        """Revoke a batch."""
        return cast(CodeBatchAnswer, self._call("revoke-codes", batch=batch))
