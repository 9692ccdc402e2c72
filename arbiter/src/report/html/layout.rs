//! The frame of every page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::chart::Chart;

/// How deep a page lies below the root of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) struct Depth(usize);

impl Depth {
    /// In the root itself.
    pub(in crate::report) const TOP: Depth = Depth(0);

    /// One folder deeper.
    pub(in crate::report) fn below(self) -> Depth {
        Depth(self.0 + 1)
    }

    /// The way from there to an asset.
    fn asset(self, name: &str) -> String {
        format!("{}assets/{name}", "../".repeat(self.0))
    }

    /// Whether something lies above: a list of several sources.
    pub(super) fn is_below_list(self) -> bool {
        self.0 >= 2
    }
}

/// Nothing but the files of the report is loaded, and no script stands in a page.
const POLICY: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file: \
'unsafe-inline'; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/// A page.
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    pub(super) depth: Depth,
    /// Assets besides the usual style.
    pub(super) styles: &'a [&'a str],
    /// Scripts of the report, as assets.
    pub(super) scripts: &'a [&'a str],
    /// Scripts of this source, by their way from the page, after the first of the others.
    pub(super) data: &'a [&'a str],
    pub(super) body: Markup,
}

impl Page<'_> {
    pub(super) fn render(self) -> Markup {
        let Page { title, depth, styles, scripts, data, body } = self;
        let (first, others) = scripts.split_at(scripts.len().min(1));
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (title) " · arbiter" }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href=(depth.asset("style.css"));
                    @for style in styles { link rel="stylesheet" href=(depth.asset(style)); }
                    @for script in first { script src=(depth.asset(script)) {} }
                    @for script in data { script src=(script) {} }
                    @for script in others { script src=(depth.asset(script)) defer {} }
                    script src=(depth.asset("edges.js")) defer {}
                }
                body { a.skip href="#main" { "Skip to the content" } (body) }
            }
        }
    }
}

/// A table that can be scrolled where it is wider than the page.
pub(super) fn scrolled(label: &str, table: Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { (table) } }
}

/// A chart, and what it shows in words.
pub(super) fn figure(chart: Chart, caption: &str) -> Markup {
    html! {
        figure.chart {
            @for (room, drawing) in chart.drawings {
                div class=(room.class()) aria-hidden="true" { (PreEscaped(drawing)) }
            }
            figcaption { (caption) }
        }
    }
}

/// A section with its heading.
pub(super) fn section(id: &str, title: &str, body: Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (body)
        }
    }
}

/// `1 game`, `2 games`.
pub(super) fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
