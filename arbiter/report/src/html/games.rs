//! The list of games, and the page of the viewer: scripts fill both.

use maud::{Markup, html};

use crate::assets;
use crate::html::layout::{Page, PageLocation, title};
use crate::reading::SourceReport;

/// The scripts of a page with a list of games.
pub(super) const SCRIPTS: [&str; 2] = ["report.js", "games.js"];

/// The address of the games of one bot against another in the list of all, by their places in the log.
pub(super) fn address_of_games(bot: usize, other: usize) -> String {
    format!("#games&bot={bot}&against={other}")
}

/// The place where `games.js` lists the games: all, or those of the bot at this place in the log. Its filters stand in the address, behind `#games`.
pub(super) fn list(reading: &SourceReport, bot: Option<usize>) -> Markup {
    let line = reading.series.header().tournament.as_ref();
    let is_extension = line.is_some_and(|line| line.extends.is_some());
    html! {
        noscript { p { "The game list and the viewer need JavaScript." } }
        @if is_extension { p.quiet { "The standings include earlier parts; their games are in their own reports." } }
        div id="game-list" data-bot=[bot] hidden {
            form.tools id="game-filter" {
                @if bot.is_none() {
                    label { (if reading.called() == "bot" { "Bot " } else { "Player " }) select id="filter-bot" {
                        option value="" { "all " (reading.called()) "s" }
                    } }
                }
                label { "Opponent " select id="filter-against" {
                    option value="" { "any " (reading.called()) }
                } }
                label { "Result " select id="filter-result" {
                    option value="" { "any" }
                    option value="won" { "won" }
                    option value="drawn" { "drawn" }
                    option value="lost" { "lost" }
                } }
                label { "Show " select id="filter-kind" {
                    option value="" { "all games" }
                    option value="faults" { "with faults" }
                    option value="odd" { "void, replayed, suspect" }
                } }
                button id="filter-none" type="button" { "Clear filters" }
                span.together {
                    label { "Game " input id="go-to" type="number" min="0" inputmode="numeric"; }
                    button type="submit" { "Go" }
                }
            }
            p.message id="filter-note" role="status" hidden {}
            div.scroll id="game-table" role="group" aria-label="Games" tabindex="0" {
                table.games {
                    thead { tr {
                        @for title in ["game", "deal", "answers"] {
                            th.spare[title != "game"] scope="col" { (title) }
                        }
                        th.word scope="col" { "seats and points" } th.word scope="col" { "notes" }
                    } }
                    tbody id="game-rows" {}
                }
            }
            nav.pager aria-label="Game list pages" {
                button id="page-before" type="button" { "← Previous" }
                span id="page-label" role="status" {}
                button id="page-after" type="button" { "Next →" }
            }
        }
    }
}

/// The page that shows a game step by step.
pub(crate) fn viewer(reading: &SourceReport, location: PageLocation) -> Markup {
    let game = &reading.series.header().game;
    let scripts = viewer_scripts(game);
    let has_notes = reading.may_get_notes();
    let scripts = scripts.iter().map(String::as_str);
    let scripts: Vec<&str> = scripts.filter(|script| has_notes || *script != NOTES).collect();
    let title = format!("games of {}", title(reading));
    let way = html! { a href="index.html#games" { "← Report" } };
    let body = html! {
        (bar(&way, "Game", ""))
        (stage(game, ViewedGame::InAddress))
    };
    Page {
        title: &title,
        location,
        styles: &VIEWER_STYLES,
        scripts: &scripts,
        data: &["data/index.js"],
        body,
    }
    .render()
}

pub const TABLE_STYLES: [&str; 2] = ["art.css", "felt.css"];

pub const VIEWER_STYLES: [&str; 3] = ["art.css", "felt.css", "viewer.css"];

/// The script that draws the notes of bots.
const NOTES: &str = "notes.js";

/// The scripts of the viewer of a game, in order.
pub fn viewer_scripts(game: &str) -> Vec<String> {
    let before = ["report.js", "view.js", "cards.js", "felt.js", "motion.js", "steps.js"];
    let all = before.into_iter().chain(["answer.js", "graph.js", NOTES]).map(str::to_owned);
    all.chain([assets::drawing(game), "viewer.js".to_owned()]).collect()
}

/// The bar above a game: the way back, the title and what stands below it, which the script of the viewer fills in,
/// and the games beside this one.
pub fn bar(way: &Markup, title: &str, about: &str) -> Markup {
    html! {
        header.site data-own { div {
            p.crumbs { (way) }
            div.titled {
                h1 id="game-title" { (title) }
                p.players id="game-about" { (about) }
            }
            div.together {
                button.btn.low id="link" type="button" { "Copy link" }
                button.btn.low id="game-before" type="button" title="Previous game ([)" { "← " span.spare { "Previous" } }
                button.btn.low id="game-after" type="button" title="Next game (])" { span.spare { "Next" } " →" }
            }
        } }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum ViewedGame<'a> {
    /// The one in the address of the page, behind `#`.
    InAddress,
    /// The one with this number, unless the address has another one.
    One(u64),
    /// One that is being played.
    Followed {
        number: u64,
        /// The address of its steps.
        stream: &'a str,
    },
}

/// The place where scripts draw a game; a game that is being played comes from its stream. The sections are the scripts'
/// own: a served page that has changed leaves them alone.
pub fn stage(game: &str, shown: ViewedGame<'_>) -> Markup {
    let (number, watched, stream) = match shown {
        ViewedGame::InAddress => (None, None, None),
        ViewedGame::One(number) => (Some(number), None, None),
        ViewedGame::Followed { number, stream } => (None, Some(number), Some(stream)),
    };
    html! {
        (assets::art(game))
        main.room.viewer id="main" data-game=[number] data-watched=[watched] data-stream=[stream] {
            noscript { p {
                "The game viewer needs JavaScript. Without it, " code { "arbiter show LOG" } " prints a game."
            } }
            p.message id="message" role="status" hidden {}
            div.stage id="stage" hidden {
                div.left {
                    section.felt id="board" data-own aria-label="Table" {}
                    div.box {
                        p.told id="told" aria-live="polite" {}
                        section.graph id="graph" data-own aria-label="Win probability" hidden {}
                        (controls())
                    }
                    section.box.graph id="noted" data-own aria-label="Notes" hidden {
                        label.quiet { "Note " select id="noted-key" {} }
                        div id="noted-picture" {}
                    }
                }
                aside.rail aria-label="About this game" {
                    section.box aria-label="Details of this step" { div.answer id="answer" {} }
                    div.box {
                        header { h2 id="moves-title" { "Steps" } span.place id="place" {} }
                        ol.moves id="moves" aria-labelledby="moves-title" tabindex="0" {}
                    }
                    section.box.graph.luck id="luck" data-own aria-label="Luck and skill" hidden {}
                }
            }
        }
    }
}

fn controls() -> Markup {
    html! {
        input id="position" type="range" min="0" value="0" aria-label="Step";
        div.controls role="group" aria-label="Steps" {
            div.buttons {
                (button("first", "First step", "Home", "M5 4h3v16H5zM20 4v16L9 12z"))
                (button("back", "Previous step", "←", "M18 4v16L6 12z"))
                button id="play" type="button" title="Play (space)" aria-label="Play" {
                    svg viewBox="0 0 24 24" aria-hidden="true" {
                        path.go d="M6 4v16l14-8z" {}
                        path.halt d="M6 4h4v16H6zM14 4h4v16h-4z" {}
                    }
                    span { "Play" }
                }
                (button("forward", "Next step", "→", "M6 4v16l12-8z"))
                (button("last", "Last step", "End", "M16 4h3v16h-3zM4 4v16l11-8z"))
            }
            div.choices {
                label { "Speed " select id="speed" {
                    option value="2000" { "slow" } option value="1000" selected { "normal" }
                    option value="400" { "fast" } option value="100" { "very fast" }
                } }
                label { "View " select id="view" { option value="" { "all hands" } } }
                button id="full" type="button" aria-pressed="false" title="Full screen (f)" { "Full screen" }
            }
        }
        p.keys {
            kbd { "←" } kbd { "→" } " step  " kbd { "Home" } kbd { "End" } " first, last  "
            kbd { "space" } " play  " kbd { "m" } " next mistake  " kbd { "[" } kbd { "]" } " game  " kbd { "v" } " view  "
            kbd { "f" } " full screen"
        }
    }
}

fn button(id: &str, name: &str, key: &str, sign: &str) -> Markup {
    html! {
        button id=(id) type="button" title={ (name) " (" (key) ")" } aria-label=(name) {
            svg viewBox="0 0 24 24" aria-hidden="true" { path d=(sign) {} }
        }
    }
}
