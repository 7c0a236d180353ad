// SPDX-License-Identifier: Apache-2.0
// Notifies the store when the customer closes the page, so that the app doesn't
// wait until the sheet expires. The page works without this script.
"use strict";

const form = document.getElementById("sheet");
let isAnswered = false;

const network = document.getElementById("network");

function say(text) {
    network.textContent = text;
    network.hidden = !text;
}

function disableButtons(isDisabled) {
    form.querySelectorAll("button").forEach((button) => { button.disabled = isDisabled; });
}

// Looks for the store before the form is sent: a browser replaces the page by an error of its own when a form
// can't be sent, and the typed values are lost.
form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const pressed = event.submitter;
    disableButtons(true);
    say(form.dataset.sending);
    try {
        await fetch("/sheet/sheet.js", { cache: "no-store" });
    } catch {
        disableButtons(false);
        say(form.dataset.unreachable);
        pressed?.focus();
        return;
    }
    isAnswered = true;
    const decision = Object.assign(document.createElement("input"), { type: "hidden", name: "decision" });
    decision.value = pressed?.value ?? form.querySelector("button.primary").value;
    form.append(decision);
    form.submit();
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
