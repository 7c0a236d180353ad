// SPDX-License-Identifier: Apache-2.0
// Lets a file be dropped anywhere on the part of the page that has its form. The page works without this script.
"use strict";

document.querySelectorAll("input[type=file]").forEach((field) => {
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
});
