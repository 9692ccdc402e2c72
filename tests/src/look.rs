//! Tools of the tests for reports in a browser, and the checks of their pages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::axe::assert_accessible;
use crate::bench::Bench;
use crate::browser::{Browser, Scheme, Width};
use crate::shared_browser::SharedBrowser;
use serde_json::{Value, json};

/// The environment variable with which pictures are kept.
const SCREENSHOTS_VARIABLE: &str = "ARBITER_TEST_SCREENSHOTS";

/// A path among the examples.
pub fn examples(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path)
}

/// A browser, unless there is none.
pub fn browser() -> Option<SharedBrowser> {
    let browser = SharedBrowser::take();
    if browser.is_none() {
        crate::missing::tell("no chromium or no chromedriver");
    }
    browser
}

/// A browser and a folder for one test, unless there is no browser.
pub fn browser_and_bench() -> Option<(SharedBrowser, Bench)> {
    Some((browser()?, Bench::new()))
}

/// A browser, a folder for one test, and the folder of the report of an example there, unless there is no browser.
pub fn reported(example: &str) -> Option<(SharedBrowser, Bench, PathBuf)> {
    let (browser, bench) = browser_and_bench()?;
    let folder = report(&bench, &examples(example), "report");
    Some((browser, bench, folder))
}

/// Opens a page with a list of games at this part of its address, and waits until it shows this number of them.
pub fn open_list(browser: &Browser, page: &Path, hash: &str, count: usize) {
    browser.open(page, hash);
    browser.wait(&format!("document.querySelectorAll('#game-rows tr').length === {count}"));
}

/// Asserts that the page is no wider than a window of this width.
pub fn assert_fits(browser: &Browser, width: Width) {
    let wide = browser.run("return document.documentElement.scrollWidth");
    assert_eq!(wide, json!(width.pixels()), "{}", browser.address());
}

/// Copies an example of a tournament into the folder `cups`, in which every game can be played then.
pub fn cups(bench: &Bench) -> PathBuf {
    let folder = bench.path("cups");
    fs::create_dir(&folder).expect("a folder");
    let copied =
        bench.command("cp").arg("-r").arg(examples("tournaments/coup")).arg(&folder).status();
    assert!(copied.is_ok_and(|status| status.success()));
    folder
}

/// Writes the report of a source, and gives its folder.
pub fn report(bench: &Bench, source: &Path, name: &str) -> PathBuf {
    let folder = bench.path(name);
    bench.succeed([Path::new("report"), source, Path::new("-o"), &folder]);
    folder
}

/// Keeps a picture, if asked to.
pub fn keep(browser: &Browser, name: &str) {
    let Some(folder) = std::env::var_os(SCREENSHOTS_VARIABLE) else { return };
    fs::create_dir_all(&folder).expect("the folder for pictures");
    let file = Path::new(&folder).join(format!("{name}.png"));
    fs::write(file, browser.screenshot()).expect("the folder for pictures");
}

/// Asserts that a page is no wider than the window, at each width, and that axe finds nothing on a telephone and a desk,
/// and keeps it in both colours.
pub fn keep_all(browser: &Browser, name: &str) {
    let widths = [(Width::Desktop, "desktop"), (Width::Phone, "phone"), (Width::Wide, "wide")];
    for (width, size) in widths {
        browser.resize(width);
        for (scheme, colours) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
            browser.prefer(scheme);
            keep(browser, &format!("{name}-{size}-{colours}"));
            if width != Width::Wide {
                assert_accessible(browser, &format!("{name}-{size}-{colours}"));
            }
        }
        let wide = browser.run("return document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width.pixels().into()), "{name} at {size} is {wide} wide");
    }
    browser.prefer(Scheme::Light);
    browser.resize(Width::Desktop);
}

/// Charts can be read, and what is cut off says so, at both widths.
pub fn assert_legible(browser: &Browser) {
    for width in [Width::Phone, Width::Desktop] {
        browser.resize(width);
        let heights = browser.run(CHART_TEXT);
        let heights: Vec<f64> =
            heights.as_array().expect("numbers").iter().filter_map(Value::as_f64).collect();
        assert!(heights.len() > 3 && heights.iter().all(|it| *it >= 12.0), "{heights:?}");
        browser.wait(FADES);
    }
    // At the width of a desk nothing is cut off.
    assert_eq!(browser.run("return document.querySelectorAll('[data-more]').length"), 0);
}

/// All that is shown at each step can be seen, at both widths.
pub fn assert_seen(browser: &Browser) {
    for width in [Width::Phone, Width::Desktop] {
        browser.resize(width);
        assert_eq!(browser.run(UNSEEN), json!([]), "{width:?}");
    }
}

/// Asserts that the browser has nothing to complain about.
pub fn assert_quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Everything that needs a name has one, what has one can have it, and nothing comes from another server.
pub fn assert_named(browser: &Browser) {
    assert_eq!(browser.run(MISNAMED), json!([]), "{}", browser.address());
    assert_eq!(browser.run(FOREIGN), json!([]), "{}", browser.address());
    assert_eq!(browser.run("return document.querySelectorAll('h1, main').length"), 2);
}

/// Goes through the steps, of a long game every fourth, and gives those at which the list does not show its step, or a
/// card lies over the rank or the suit of another.
const UNSEEN: &str = r#"
const box = (element) => element.getBoundingClientRect();
const isWithin = (inner, outer) => inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
const on = ({ left, top, width, height }) => document.elementFromPoint(left + width / 2, top + height / 2);
const position = document.querySelector('#position');
const unseen = [];
const last = Number(position.max);
for (let step = 0; step <= last; step += last > 60 && step + 4 < last ? 4 : 1) {
  position.value = step;
  position.dispatchEvent(new Event('input'));
  const marked = document.querySelector('#moves [aria-current]');
  if (!isWithin(box(marked), box(document.querySelector('#moves')))) unseen.push(`${step}: not listed`);
  for (const card of document.querySelectorAll('#board .card')) {
    for (const sign of card.querySelectorAll('.rank, .suit')) {
      const seen = on(box(sign));
      if (seen && seen.closest('#board') && !card.contains(seen)) unseen.push(`${step}: ${card.dataset.card} is covered`);
    }
  }
}
return unseen;"#;

/// Heights of the text in the charts that are shown, in pixels.
const CHART_TEXT: &str = "
return [...document.querySelectorAll('.chart text')].filter((it) => it.getClientRects().length)
  .map((it) => parseFloat(getComputedStyle(it).fontSize) * it.getScreenCTM().a);";

/// True if all that is wider than the page fades where there is more of it, and nothing else does;
/// folded parts are not on the page.
const FADES: &str = "
[...document.querySelectorAll('.scroll, nav[aria-label=Sections], nav[aria-label=Pages], .bracket')].every((it) => it.closest('details:not([open])') ||
  (it.dataset.more || '').includes('right') === it.scrollWidth - it.clientWidth - it.scrollLeft > 1)";

/// What was loaded from elsewhere.
const FOREIGN: &str = "
return performance.getEntriesByType('resource').map((it) => it.name)
  .filter((it) => new URL(it).origin !== location.origin && !it.startsWith('data:'));";

/// Elements that have no name and need one, or have one and are nothing that could have it.
const MISNAMED: &str = "
const named = 'button, input:not([type=hidden]), select, a, [role=img], [role=group], nav, table';
const unnamed = [...document.querySelectorAll(named)].filter((it) =>
  !(it.getAttribute('aria-label') || it.getAttribute('aria-labelledby') || it.textContent.trim()
    || (it.labels && it.labels.length)));
const plain = 'div, span, p, b, i, em, strong, code, pre, caption';
const unheard = [...document.querySelectorAll('[aria-label], [aria-labelledby]')]
  .filter((it) => it.matches(plain) && !it.hasAttribute('role'));
return [...unnamed, ...unheard].map((it) => it.outerHTML.slice(0, 100));";
