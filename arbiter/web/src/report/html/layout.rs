//! The frame of every page.

use maud::{DOCTYPE, Markup, html};

/// Where a page lies: how deep below the root of the report, and whether it is read from disk or served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    depth: usize,
    medium: Medium,
    above: Above,
    doors: &'static [Door],
}

/// A page beside those of a source, which only a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Door {
    /// The way to it from the root of the source.
    pub(crate) way: &'static str,
    pub(crate) title: &'static str,
}

/// What lies above the first page of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    /// Nothing.
    Nothing,
    /// A list of sources, two folders above.
    List,
    /// A league, two folders above.
    League,
}

/// How pages come to their readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    /// As files, which never change.
    Files,
    /// From a server, which tells them of changes.
    Server,
    /// From a server, where they ask for changes themselves.
    ServedApart,
}

impl Location {
    /// In the root of a report on disk.
    pub(crate) const TOP: Location =
        Location { depth: 0, medium: Medium::Files, above: Above::Nothing, doors: &[] };

    /// In the root of what is served.
    pub(crate) const SERVED: Location =
        Location { depth: 0, medium: Medium::Server, above: Above::Nothing, doors: &[] };

    /// In the root of a round, as a league serves it.
    pub(crate) const ROUND: Location =
        Location { depth: 0, medium: Medium::Server, above: Above::League, doors: &[] };

    /// The same for pages that are served and ask for changes themselves.
    pub(crate) fn apart(self) -> Location {
        Location { medium: Medium::ServedApart, ..self }
    }

    /// The same with these pages beside it.
    pub(crate) fn with_doors(self, doors: &'static [Door]) -> Location {
        Location { doors, ..self }
    }

    /// The pages beside it.
    pub(crate) fn doors(self) -> &'static [Door] {
        self.doors
    }

    /// One folder deeper.
    pub(crate) fn below(self) -> Location {
        Location { depth: self.depth + 1, ..self }
    }

    /// The way from there to the root.
    pub(crate) fn root(self) -> String {
        "../".repeat(self.depth)
    }

    /// The way from there to an asset.
    fn asset(self, name: &str) -> String {
        format!("{}assets/{name}", self.root())
    }

    /// The address at which a page learns of changes, where there is one.
    fn events(self) -> Option<String> {
        (self.medium == Medium::Server).then(|| format!("{}events", self.root()))
    }

    /// Two folders deeper on disk, below a list of sources.
    pub(crate) fn below_list(self) -> Location {
        Location { above: Above::List, ..self.below().below() }
    }

    /// Two folders deeper on disk, below the pages of a league.
    pub(crate) fn below_league(self) -> Location {
        Location { above: Above::League, ..self.below().below() }
    }

    /// What the page above the first one of a source is called, where there is one.
    pub(super) fn above(self) -> Option<&'static str> {
        match self.above {
            Above::Nothing => None,
            Above::List => Some("All sources"),
            Above::League => Some("League"),
        }
    }

    /// To whom links tell where they come from: a server needs to know it of its own forms.
    fn referrer(self) -> &'static str {
        match self.medium {
            Medium::Files => "no-referrer",
            Medium::Server | Medium::ServedApart => "same-origin",
        }
    }

    /// What a page may load.
    fn policy(self) -> &'static str {
        match self.medium {
            Medium::Files => OF_FILES,
            Medium::Server | Medium::ServedApart => SERVED,
        }
    }
}

/// Nothing but the files of the report is loaded, and no script stands in a page.
const OF_FILES: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file: \
'unsafe-inline'; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/// What a served page may load: only what the same server gives, and no script stands in a page.
pub(crate) const SERVED: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

/// The scripts by which a served page learns of changes and takes them over.
const ALIVE: [&str; 3] = ["streams.js", "renewal.js", "live.js"];

/// A page.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    pub(crate) location: Location,
    /// Assets besides the usual style.
    pub(crate) styles: &'a [&'a str],
    /// Scripts of the report, as assets.
    pub(crate) scripts: &'a [&'a str],
    /// Scripts of this source, by their way from the page, after the first of the others.
    pub(crate) data: &'a [&'a str],
    pub(crate) body: Markup,
}

impl Page<'_> {
    pub(crate) fn render(self) -> Markup {
        let Page { title, location, styles, scripts, data, body } = self;
        let (first, others) = scripts.split_at(scripts.len().min(1));
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(location.policy());
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content=(location.referrer());
                    title { (title) " · arbiter" }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href=(location.asset("style.css"));
                    @for style in styles { link rel="stylesheet" href=(location.asset(style)); }
                    @for script in first { script src=(location.asset(script)) {} }
                    @for script in data { script src=(script) {} }
                    @for script in others { script src=(location.asset(script)) defer {} }
                    script src=(location.asset("edges.js")) defer {}
                    @if location.medium == Medium::Server {
                        @for script in ALIVE { script src=(location.asset(script)) defer {} }
                    }
                }
                body data-events=[location.events()] { a.skip href="#main" { "Skip to the content" } (body) }
            }
        }
    }
}

/// A table that can be scrolled where it is wider than the page.
pub(crate) fn scrolled(label: &str, table: Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { (table) } }
}

/// A chart, and what it shows in words.
pub(crate) fn figure(chart: Markup, caption: &str) -> Markup {
    html! { figure.chart { (chart) figcaption { (caption) } } }
}

/// A section with its heading.
pub(crate) fn section(id: &str, title: &str, body: Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (body)
        }
    }
}

/// `1 game`, `2 games`.
pub(crate) fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
