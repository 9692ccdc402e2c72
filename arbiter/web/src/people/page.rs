//! The pages on which people choose a game and play it.

use maud::{Markup, html};
use rules::GameKind;

use super::table_offer;
use crate::people::{PlayTable, TableOffer};
use report::assets;
use report::html::bot::rules_in_words;
use report::html::games::TABLE_STYLES;
use report::html::layout::{Page, PageLocation, site_bar};

fn choice_location() -> PageLocation {
    PageLocation::SERVED.self_updating().below()
}

/// The page on which a game is chosen, with the number of tables that are taken and the most there are.
pub(super) fn choose(offer: &TableOffer, (taken, most): (usize, usize)) -> Markup {
    let body = html! {
        (top("../", "Overview", "Play against a bot"))
        main.wrap id="main" {
            p {
                "Choose a game, your opponents and your seat. You see exactly what a bot in your seat would see. "
                "Every game is logged and can be verified."
            }
            @if taken >= most {
                p.message role="status" { "All tables are in use. Try again later." }
            }
            (table_offer::games(offer, ""))
        }
    };
    page("play", choice_location(), &[table_offer::STYLE], &[], body)
}

/// The rules of all games that are offered, in short.
pub(super) fn rules(offer: &TableOffer) -> Markup {
    let body = html! {
        (top("../", "Choose a game", "Rules summary"))
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
    page("rules", choice_location().below(), &["table.css"], &[], body)
}

/// The rules of a game without their heading, which those of a custom game do not have.
fn rules_of(kind: &GameKind) -> &str {
    let rules = kind.about().rules;
    match kind.rules_id() {
        Some(_) => rules,
        None => rules.split_once("\n\n").map_or(rules, |(_, rules)| rules),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterGameOffer {
    Review,
    /// It can be looked at step by step.
    Replay,
}

/// The page of a table; its script makes all that changes on it.
pub(super) fn table(table: &PlayTable, after: AfterGameOffer) -> Markup {
    let names = &table.players.names;
    let others = names.iter().filter(|(seat, _)| *seat != table.players.seat);
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    let title = table.players.kind.about().title;
    let heading = format!("{title} against {}", others.join(", "));
    let drawing = assets::drawing(table.players.kind.name());
    let before = ["report.js", "view.js", "cards.js", "felt.js", "motion.js"];
    let scripts = [&before[..], &[&drawing, "choice.js", "ending.js", "table.js"]].concat();
    let is_own = table.players.kind.rules_id().is_some();
    let body = html! {
        (assets::art(table.players.kind.name()))
        header.site { div {
            p.crumbs { a href="../" { "← Other games" } }
            h1 { (heading) }
            button.btn.low id="leave" type="button" { "Leave" }
        } }
        main.room.table id="main" data-reviews[after == AfterGameOffer::Review] {
            noscript { p {
                "Playing needs JavaScript. Without it, play at a terminal: "
                code { "arbiter play --game " (table.players.kind.name()) }
            } }
            p.message id="message" role="status" hidden {}
            div.stage id="stage" hidden {
                div.left { section.felt id="board" aria-label="Table" {} }
                aside.rail aria-label="About this game" {
                    div.box {
                        header { h2 id="story-title" { "What happened" } }
                        div.told-so-far role="log" aria-live="polite" aria-labelledby="story-title" tabindex="0" {
                            ol.story id="story" {}
                        }
                    }
                    (all_moves(is_own))
                    (rules_and_keys(table))
                }
            }
            dialog.ending id="ending" aria-labelledby="verdict" {}
            (another(table))
        }
    };
    let styles = [&TABLE_STYLES[..], &["table.css"]].concat();
    page(&heading, choice_location().below(), &styles, &scripts, body)
}

/// The list of legal moves, which is folded where the cards show them.
fn all_moves(is_own: bool) -> Markup {
    html! {
        details.box.turn id="turn" open[is_own] hidden {
            summary { "All your moves " span.badge id="count" {} }
            @if is_own {
                label.searching id="searching" hidden {
                    "Search or type a move " input id="search" maxlength="200" autocomplete="off" spellcheck="false";
                }
            }
            ol.offered id="moves" aria-label="Legal moves" {}
            p.quiet id="more" {}
        }
    }
}

fn rules_and_keys(table: &PlayTable) -> Markup {
    html! {
        details.box {
            summary { "Rules and keys" }
            p { a href={ "../rules/#" (table.players.kind.name()) } target="_blank" id="rules" { "Rules summary (new tab)" } }
            @if let Some(id) = table.players.kind.rules_id() { p.quiet { "Rules: " (rules_in_words(id)) } }
            p.quiet {
                kbd { "←" } " " kbd { "→" } " through your cards, " kbd { "Space" } " chooses, " kbd { "Enter" } " plays, "
                kbd { "Esc" } " clears the selection, " kbd { "h" } " shows a hint, " kbd { "1" } "… selects a move by its number"
            }
            label.quiet { input id="deck" type="checkbox"; " Four colours for the suits" }
        }
    }
}

/// The form that begins another deal of the same game, with the same players.
fn another(table: &PlayTable) -> Markup {
    html! {
        template id="again" {
            form method="post" action="../" {
                input type="hidden" name="name" value=(table.person());
                input type="hidden" name="seat" value=(table.players.seat.index());
                @for opponent in &table.players.opponents { input type="hidden" name="bot" value=(opponent); }
                button.btn.main type="submit" name="game" value=(table.players.kind.name()) { "Play again" }
            }
        }
    }
}

/// A page with the reason why there is no game.
pub(super) fn refused(problem: &str) -> Markup {
    let body = html! {
        (top("./", "Back", "Cannot start the game"))
        main.wrap id="main" { p.message role="alert" { (problem) } }
    };
    page("play", choice_location(), &[], &[], body)
}

/// A page for a table that does not exist.
pub(super) fn missing_table_page() -> Markup {
    let body = html! {
        (top("../", "Choose a game", "Table not found"))
        main.wrap id="main" { p.message role="alert" { "It may have been closed by a server restart." } }
    };
    page("play", choice_location().below(), &[], &[], body)
}

fn top(way: &str, to: &str, title: &str) -> Markup {
    html! {
        (site_bar(way, &[(to, way.to_owned())], "", html! {}))
        section.top id="top" aria-label="Title" { div.wrap { h1 { (title) } } }
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
