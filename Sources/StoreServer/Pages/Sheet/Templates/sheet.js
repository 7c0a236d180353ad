// SPDX-License-Identifier: Apache-2.0
// Notifies the store when the customer closes the page, so that the app doesn't
// wait until the sheet expires. The page works without this script.
"use strict";

const form = document.getElementById("sheet");
let isAnswered = false;

form.addEventListener("submit", () => {
    isAnswered = true;
    // Only after the form has the pressed button's value: disabled buttons aren't sent.
    setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});

// Other tabs with the same sheet load it again when one of them is closed, which
// keeps the sheet open.
const others = new BroadcastChannel(location.pathname);
others.addEventListener("message", () => {
    setTimeout(() => { if (!isAnswered) fetch(location.pathname); }, 1000);
});

addEventListener("pagehide", () => {
    if (isAnswered) return;
    navigator.sendBeacon(location.pathname + "/closed");
    others.postMessage("closed");
});

// A page that the browser restores from its back/forward cache is loaded again,
// which keeps the sheet open.
addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
});

const fields = ["code", "email", "password"].map((id) => document.getElementById(id)).filter(Boolean);
(fields.find((field) => !field.value) ?? fields.at(-1)).focus();
