//! The pages on which people choose a game and play it.

use maud::{Markup, html};
use rules::GameKind;

use crate::people::{PlayTable, TableOffer, home};
use report::assets;
use report::html::layout::{Page, PageLocation};
use report::html::setup::rules_in_words;

/// The location of the page on which a game is chosen.
fn here() -> PageLocation {
    PageLocation::SERVED.self_updating().below()
}

/// The page on which a game is chosen, with the number of tables that are taken and the most there are.
pub(super) fn choose(offer: &TableOffer, (taken, most): (usize, usize)) -> Markup {
    let body = html! {
        (top("../", "← Overview", "Play against a bot"))
        main.wrap id="main" {
            p {
                "Choose a game, your opponents and your seat. You see exactly what a bot in your seat would see. "
                "Every game is logged and can be verified."
            }
            @if taken >= most {
                p.message role="status" { "All tables are in use. Try again later." }
            }
            (home::games(offer, ""))
        }
    };
    page("play", here(), &[home::STYLE], &[], body)
}

/// The rules of all games that are offered, in short.
pub(super) fn rules(offer: &TableOffer) -> Markup {
    let body = html! {
        (top("../", "← Choose a game", "Rules summary"))
        main.wrap id="main" {
            @for kind in offer.games.iter().map(|game| &game.kind) {
                section id=(kind.name()) aria-labelledby={ (kind.name()) "-title" } {
                    h2 id={ (kind.name()) "-title" } { (kind.about().title) }
                    @if let Some(id) = kind.rules_id() { p { (kind.about().about) } p.quiet { (rules_in_words(id)) } }
                    @if !rules_of(kind).is_empty() { pre.rules tabindex="0" { (rules_of(kind)) } }
                }
            }
        }
    };
    page("rules", here().below(), &["table.css"], &[], body)
}

/// The rules of a game without their heading, which those of a custom game do not have.
fn rules_of(kind: &GameKind) -> &str {
    let rules = kind.about().rules;
    match kind.rules_id() {
        Some(_) => rules,
        None => rules.split_once("\n\n").map_or(rules, |(_, rules)| rules),
    }
}

/// The page of a table; its script makes all that changes on it.
pub(super) fn table(table: &PlayTable) -> Markup {
    let names = table.names();
    let others = names.iter().filter(|(seat, _)| *seat != table.seat());
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    let heading = format!("{} against {}", table.kind().about().title, others.join(", "));
    let drawing = assets::drawing(table.kind().name());
    let scripts = ["report.js", "view.js", "cards.js", &drawing, "table.js"];
    let body = html! {
        (top("../", "← Other games", &heading))
        main.wrap.viewer.table id="main" {
            noscript { p { "Playing needs JavaScript." } }
            p.message id="message" role="status" hidden {}
            div.stage id="stage" hidden {
                div.left {
                    section.board id="board" aria-label="Table" {}
                    section.turn id="turn" aria-label="Your move" hidden {
                        p.question id="question" role="status" {}
                        div.buttons {
                            button id="play" type="button" disabled { "Play" }
                            button id="undo" type="button" { "Undo" }
                            button id="hint" type="button" { "Hint" }
                        }
                        @if table.kind().rules_id().is_some() {
                            label.searching id="searching" hidden {
                                "Search or type a move " input id="search" maxlength="200" autocomplete="off" spellcheck="false";
                            }
                        }
                        ol.offered id="moves" aria-label="Legal moves" {}
                        p.quiet id="more" {}
                    }
                    section.ending id="ending" aria-label="Result" hidden {}
                    p.keys {
                        "Keys: " kbd { "1" } "… selects a move, " kbd { "Enter" } " plays it, "
                        kbd { "Esc" } " clears the selection, " kbd { "h" } " shows a hint"
                    }
                }
                aside.right {
                    h2 id="story-title" { "Game log" }
                    ol.story id="story" role="log" aria-live="polite" aria-labelledby="story-title" tabindex="0" {}
                    p {
                        a href={ "../rules/#" (table.kind().name()) } target="_blank" id="rules" {
                            "Rules summary (new tab)"
                        }
                    }
                    @if let Some(id) = table.kind().rules_id() { p.quiet { "Rules: " (rules_in_words(id)) } }
                    button id="leave" type="button" { "Leave the game" }
                }
            }
        }
    };
    page(&heading, here().below(), &["viewer.css", "table.css"], &scripts, body)
}

/// A page with the reason why there is no game.
pub(super) fn refused(problem: &str) -> Markup {
    let body = html! {
        (top("./", "← Back", "Cannot start the game"))
        main.wrap id="main" { p.message role="alert" { (problem) } }
    };
    page("play", here(), &[], &[], body)
}

/// A page for a table that does not exist.
pub(super) fn gone() -> Markup {
    let body = html! {
        (top("../", "← Choose a game", "Table not found"))
        main.wrap id="main" { p.message role="alert" { "It may have been closed by a server restart." } }
    };
    page("play", here().below(), &[], &[], body)
}

fn top(way: &str, to: &str, title: &str) -> Markup {
    html! {
        header.top.slim { div.wrap {
            p.crumbs { a href=(way) { (to) } }
            h1 { (title) }
        } }
    }
}

fn page(
    title: &str,
    location: PageLocation,
    styles: &[&str],
    scripts: &[&str],
    body: Markup,
) -> Markup {
    Page { title, location, styles, scripts, data: &[], body }.render()
}
