// SPDX-License-Identifier: Apache-2.0
// Lets a file be dropped anywhere on the part of the page that has its form, and shows the progress of a large file.
// The page works without this script.
"use strict";

function prepare(root) {
    root.querySelectorAll("input[type=file]").forEach(takeDrops);
    root.querySelectorAll("form[data-uploading]").forEach((form) => {
        form.addEventListener("submit", (event) => {
            const field = form.querySelector("input[type=file]");
            // The store names a file that is missing.
            if (field.files.length === 1) {
                event.preventDefault();
                begin(form, field, event.submitter);
            }
        });
    });
}

function takeDrops(field) {
    const area = field.closest("section");

    function mark(isOver) {
        area.classList.toggle("dropping", isOver);
    }

    area.addEventListener("dragover", (event) => {
        event.preventDefault();
        mark(true);
    });
    area.addEventListener("dragleave", (event) => {
        if (!area.contains(event.relatedTarget)) {
            mark(false);
        }
    });
    area.addEventListener("drop", (event) => {
        event.preventDefault();
        mark(false);
        if (event.dataTransfer.files.length === 1) {
            field.files = event.dataTransfer.files;
            field.form.querySelector("button").focus();
        }
    });
}

function add(parent, name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    parent.append(element);
    return element;
}

// Sends the form with its file.
function begin(form, field, button) {
    form.querySelector(".upload")?.remove();
    const words = form.dataset;
    const place = add(form, "div", "");
    place.className = "upload";
    const state = add(place, "p", words.uploading);
    state.setAttribute("role", "status");
    if (field.files[0].size > Number(words.mostBytes)) {
        state.className = "problem";
        state.textContent = words.tooLarge;
        field.setAttribute("aria-invalid", "true");
        field.focus();
        return;
    }
    const bar = add(place, "progress", "");
    bar.setAttribute("aria-label", words.uploading);
    const cancel = add(place, "button", words.cancel);
    cancel.type = "button";
    const buttons = form.querySelectorAll("button[name]");
    const request = new XMLHttpRequest();

    // Ends the upload with a sentence; the form can be sent again.
    function end(text) {
        state.className = "problem";
        state.textContent = text;
        bar.remove();
        cancel.remove();
        buttons.forEach((other) => { other.disabled = false; });
    }

    request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) {
            bar.max = event.total;
            bar.value = event.loaded;
            bar.textContent = `${Math.floor(event.loaded / event.total * 100)} %`;
        }
    });
    request.upload.addEventListener("load", () => {
        state.textContent = words.checking;
        bar.removeAttribute("value");
    });
    request.addEventListener("load", () => show(request, end, words));
    request.addEventListener("error", () => end(words.interrupted));
    request.addEventListener("abort", () => end(words.cancelled));
    cancel.addEventListener("click", () => request.abort());

    const data = new FormData(form);
    if (button) {
        data.append(button.name, button.value);
    }
    buttons.forEach((other) => { other.disabled = true; });
    request.open("POST", location.pathname);
    request.setRequestHeader("Accept", "text/html");
    request.send(data);
    cancel.focus();
}

// Shows the store's answer: another page, or the same one with the problem beside the field.
function show(request, end, words) {
    const isPage = (request.getResponseHeader("Content-Type") || "").startsWith("text/html");
    if (request.status === 200) {
        location.assign(request.responseURL);
        return;
    }
    const answer = isPage ? new DOMParser().parseFromString(request.responseText, "text/html") : null;
    const main = answer?.querySelector("main");
    if (!main) {
        end(words.interrupted);
        return;
    }
    document.title = answer.title;
    document.querySelector("main").replaceWith(main);
    prepare(main);
    main.querySelector("[aria-invalid]")?.focus();
}

prepare(document);
