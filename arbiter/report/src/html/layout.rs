//! The frame of every page.

use contest::tournament::folder::shown;
use maud::{DOCTYPE, Markup, html};

use crate::reading::SourceReport;

/// The place of a page: its depth below the root of the report, and its medium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLocation {
    depth: usize,
    medium: PageMedium,
    above: ParentPage,
    links: &'static [ExtraLink],
}

/// A page beside those of a source, which only a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtraLink {
    /// The way to it from the root of the source.
    pub href: &'static str,
    pub title: &'static str,
}

/// The page above the first page of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ParentPage {
    Nothing,
    /// A list of sources, two folders above.
    List,
    /// A league, two folders above.
    League,
}

/// The way in which pages come to their readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageMedium {
    /// As files, which never change.
    Files,
    /// From a server, which tells them of changes.
    Server,
    /// From a server, where they ask for changes themselves.
    SelfUpdating,
}

impl PageLocation {
    /// The root of a report on disk.
    pub const TOP: PageLocation = PageLocation {
        depth: 0,
        medium: PageMedium::Files,
        above: ParentPage::Nothing,
        links: &[],
    };

    /// The root of a served source.
    pub const SERVED: PageLocation = PageLocation {
        depth: 0,
        medium: PageMedium::Server,
        above: ParentPage::Nothing,
        links: &[],
    };

    /// The root of a served round of a league.
    pub const ROUND: PageLocation = PageLocation {
        depth: 0,
        medium: PageMedium::Server,
        above: ParentPage::League,
        links: &[],
    };

    /// Here, with pages that ask for changes themselves.
    pub fn self_updating(self) -> PageLocation {
        PageLocation { medium: PageMedium::SelfUpdating, ..self }
    }

    /// Here, with links to these pages.
    pub fn with_links(self, links: &'static [ExtraLink]) -> PageLocation {
        PageLocation { links, ..self }
    }

    pub(crate) fn links(self) -> &'static [ExtraLink] {
        self.links
    }

    /// One folder deeper.
    pub fn below(self) -> PageLocation {
        PageLocation { depth: self.depth + 1, ..self }
    }

    /// The way from here to the root.
    pub(crate) fn root(self) -> String {
        "../".repeat(self.depth)
    }

    /// The way from here to the first page of the source. On disk, sources below others share the assets of the root.
    fn source_root(self) -> String {
        let shared = match (self.medium, self.above) {
            (PageMedium::Files, ParentPage::List | ParentPage::League) => 2,
            _ => 0,
        };
        "../".repeat(self.depth - shared)
    }

    /// The way from here to an asset.
    fn asset(self, name: &str) -> String {
        format!("{}assets/{name}", self.root())
    }

    /// Returns true if a server sends the page.
    pub(crate) fn is_served(self) -> bool {
        self.medium != PageMedium::Files
    }

    /// The address at which a page learns of changes, if there is one.
    fn events(self) -> Option<String> {
        (self.medium == PageMedium::Server).then(|| format!("{}events", self.root()))
    }

    /// Two folders deeper on disk, below a list of sources.
    pub(crate) fn below_list(self) -> PageLocation {
        PageLocation { above: ParentPage::List, ..self.below().below() }
    }

    /// Two folders deeper on disk, below the pages of a league.
    pub(crate) fn below_league(self) -> PageLocation {
        PageLocation { above: ParentPage::League, ..self.below().below() }
    }

    /// The name of the page above the first one of a source, if there is one.
    pub(super) fn above(self) -> Option<&'static str> {
        match self.above {
            ParentPage::Nothing => None,
            ParentPage::List => Some("All sources"),
            ParentPage::League => Some("League"),
        }
    }

    /// The readers of the address from which a link comes: a server needs to know it for its own forms.
    fn referrer(self) -> &'static str {
        match self.medium {
            PageMedium::Files => "no-referrer",
            PageMedium::Server | PageMedium::SelfUpdating => "same-origin",
        }
    }

    fn policy(self) -> &'static str {
        match self.medium {
            PageMedium::Files => OF_FILES,
            PageMedium::Server | PageMedium::SelfUpdating => SERVED,
        }
    }
}

/// The policy of a report on disk: nothing but its files is loaded, and no script stands in a page.
const OF_FILES: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file: \
'unsafe-inline'; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/// The policy of a served page: nothing is loaded but from the same server, and no script stands in a page.
pub const SERVED: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

/// The scripts by which a served page follows changes.
const ALIVE: [&str; 3] = ["streams.js", "renewal.js", "live.js"];

/// A page, before it is written.
pub struct Page<'a> {
    pub title: &'a str,
    pub location: PageLocation,
    /// Assets besides the usual style.
    pub styles: &'a [&'a str],
    /// Scripts of the report, as assets.
    pub scripts: &'a [&'a str],
    /// Scripts of this source, by their way from the page, after the first of the others.
    pub data: &'a [&'a str],
    /// The content below the title.
    pub body: Markup,
}

impl Page<'_> {
    pub fn render(self) -> Markup {
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
                    @if location.medium == PageMedium::Server {
                        @for script in ALIVE { script src=(location.asset(script)) defer {} }
                    }
                }
                body data-events=[location.events()] { a.skip href="#main" { "Skip to content" } (body) }
            }
        }
    }
}

/// A link of the bar above each page: its title, and the way to it.
pub type BarLink<'a> = (&'a str, String);

/// The bar above a page: the way to the first page, links, of which this one is where the reader is, and what stands at
/// its end.
pub fn site_bar(first: &str, links: &[BarLink<'_>], current: &str, end: Markup) -> Markup {
    html! {
        header.site { div {
            a.brand.icon href=(first) aria-label="arbiter" {
                svg viewBox="0 0 24 24" aria-hidden="true" {
                    rect x="3" y="5" width="11" height="16" rx="2" fill="none" stroke="currentColor" stroke-width="2" transform="rotate(-10 8 13)" {}
                    rect x="9" y="3" width="11" height="16" rx="2" fill="currentColor" transform="rotate(8 15 11)" {}
                }
                span { "arbiter" }
            }
            nav aria-label="Pages" {
                @for (title, way) in links {
                    a href=(way) aria-current=[(*title == current).then_some("page")] { (title) }
                }
            }
            (end)
        } }
    }
}

/// A table that can be scrolled where it is wider than the page.
pub fn scrolled(label: &str, table: Markup) -> Markup {
    html! { div.scroll role="group" aria-label=(label) tabindex="0" { (table) } }
}

pub(crate) fn figure(chart: Markup, caption: &str) -> Markup {
    html! { figure.chart { (chart) figcaption { (caption) } } }
}

/// A part of a page with a heading.
pub fn section(id: &str, title: &str, body: Markup) -> Markup {
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

/// The title of a source: the last part of its path, or the number of the round.
pub(crate) fn title(reading: &SourceReport) -> String {
    let line = reading.series.header().tournament.as_ref();
    if let Some(league) = line.and_then(|line| line.league.as_ref()) {
        return format!("Round {}", league.round);
    }
    let name = reading.path.file_name().map(|name| shown(name.as_ref()));
    name.unwrap_or_else(|| shown(&reading.path))
}

/// The bar above every page; `current` is the title of its link, empty on a page below.
pub(super) fn bar(reading: &SourceReport, location: PageLocation, current: &str) -> Markup {
    let root = location.source_root();
    let first = match location.is_served() && root.is_empty() {
        true => "./".to_owned(),
        false => format!("{root}index.html"),
    };
    let title = title(reading);
    let mut links: Vec<BarLink<'_>> = Vec::new();
    if let Some(above) = location.above() {
        links.push((above, format!("{root}../../index.html")));
    }
    links.push((&title, first.clone()));
    links.extend(location.links().iter().map(|link| (link.title, format!("{root}{}", link.href))));
    site_bar(&first, &links, current, html! {})
}

pub(super) fn footer(reading: &SourceReport) -> Markup {
    html! {
        footer { div.wrap {
            p { "Generated by " b { "arbiter " (env!("CARGO_PKG_VERSION")) } " from a log written by version "
                (reading.series.header().version) "."
                @if let Some(head) = reading.head { " Head " code { (head) } } }
        } }
    }
}

/// The file of the bot at this place in the log: not every name can be the name of a file.
pub(crate) fn bot_file(place: usize) -> String {
    format!("{}.html", place + 1)
}

/// A bot's name, which leads to its page.
pub(super) fn bot_link(reading: &SourceReport, name: &str, folder: &str) -> Markup {
    match reading.names().position(|other| other == name) {
        Some(place) => html! { a href={ (folder) (bot_file(place)) } { (name) } },
        None => html! { (name) },
    }
}
