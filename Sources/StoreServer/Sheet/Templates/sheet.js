// SPDX-License-Identifier: Apache-2.0
// Tells the store that the customer closed the page, so that the app needn't
// wait until the sheet expires. Without this script everything else works.
"use strict";

const form = document.getElementById("sheet");
let isAnswered = false;

form.addEventListener("submit", () => {
    isAnswered = true;
    // After the browser has taken the pressed button's value along.
    setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});

// Other tabs with the same sheet: closing one of them doesn't close the sheet.
const others = new BroadcastChannel(location.pathname);
others.addEventListener("message", () => {
    setTimeout(() => { if (!isAnswered) fetch(location.pathname); }, 1000);
});

addEventListener("pagehide", () => {
    if (isAnswered) return;
    navigator.sendBeacon(location.pathname + "/closed");
    others.postMessage("closed");
});

// A page that comes back out of the browser's memory can be answered again.
addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
});

const email = document.getElementById("email");
(email.value ? document.getElementById("password") : email).focus();
