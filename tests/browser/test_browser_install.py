"""The page can be installed: chromium has nothing against it, and its icons are as large as the manifest says."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]

SIZE_OF = """src => new Promise((known, failed) => {
    const image = new Image();
    image.onload = () => known(`${image.naturalWidth}x${image.naturalHeight}`);
    image.onerror = () => failed(new Error(src));
    image.src = src;
})"""


def test_the_page_can_be_installed_by_a_manifest_whose_icons_are_there_in_their_sizes(visit: Visit) -> None:
    ann = visit()
    page = ann.come()
    devtools = ann.context.new_cdp_session(page)
    wrong = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {one["errorId"] for one in wrong} <= {"in-incognito"}, (
        "which a test's window is, and a person's is not"
    )
    told = devtools.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert manifest["display"] == "standalone"
    sizes = {icon["src"]: icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} < set(sizes.values())
    for src, size in sizes.items():
        assert size in ("any", page.evaluate(SIZE_OF, src))
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
