//! All figures of a league: the standings with every column, the crosstable, all versions, and how to verify them.

use league::state::RulesPeriod;
use maud::{Markup, html};
use text::printable;
use text::shell::{without_folders, word};

use crate::html::bot::{rules_in_words, rules_line};
use crate::html::layout::{Page, PageLocation, scrolled, section};
use crate::html::standings::{self, BotLinks};
use crate::league::frame::{LeagueBotLinks, NavigationPage, bar, footer, membership};
use crate::league::reading::{self, CROSSTABLE, LeagueReport};

/// Most refusals that are listed.
const FEW: usize = 10;

pub(super) fn page(reading: &LeagueReport, at: PageLocation) -> Markup {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let sections = [
        ("standings", "Standings", Some(standings::section(&bots, reading.active()))),
        ("bots", "Bots", Some(members(reading, &bots))),
        ("refused", "Rejected", refused(reading)),
        ("calendar", "Calendar", reading.announced.times()),
        ("verify", "Verify", Some(verify(reading))),
    ];
    let body = html! {
        (bar(reading, at, NavigationPage::Statistics))
        section.top id="top" aria-label="Title" { div.wrap {
            p.kicker { (reading.title) }
            h1 { "Statistics" }
            (numbers(reading))
            p {
                a href=(CROSSTABLE) { "Crosstable" } " · "
                a href="versions.html" { "Standings of all versions" }
            }
        } }
        main.wrap id="main" {
            (reading.announced.lines())
            @for (id, title, body) in sections { @if let Some(body) = body { (section(id, title, body)) } }
        }
        (footer(reading, at))
    };
    let title = format!("statistics of {}", reading.title);
    let scripts = &[reading::SCRIPT];
    Page { title: &title, location: at, styles: &["report.css"], scripts, data: &[], body }.render()
}

/// The bots that play against each other.
pub(super) fn crosstable(reading: &LeagueReport, at: PageLocation) -> Markup {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let table = standings::crosstable(&bots, &reading.active().all);
    let body = html! {
        (bar(reading, at, NavigationPage::Other))
        section.top id="top" aria-label="Title" { div.wrap {
            p.kicker { (reading.title) }
            h1 { "Crosstable" }
        } }
        main.wrap id="main" { (reading.announced.lines()) (section("crosstable", "Head-to-head results", html! {
            @match table {
                Some(table) => (table),
                None => p { "The crosstable needs two to " (standings::MOST_IN_CROSSTABLE) " bots that have played each other." },
            }
        })) }
        (footer(reading, at))
    };
    let title = format!("crosstable of {}", reading.title);
    Page { title: &title, location: at, styles: &["report.css"], scripts: &[], data: &[], body }
        .render()
}

/// The standings of all versions of all bots.
pub(super) fn versions(reading: &LeagueReport, at: PageLocation) -> Markup {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let body = html! {
        (bar(reading, at, NavigationPage::Other))
        section.top id="top" aria-label="Title" { div.wrap {
            p.kicker { (reading.title) }
            h1 { "All versions" }
        } }
        main.wrap id="main" { (reading.announced.lines()) (section("standings", "Standings", standings::section(&bots, &reading.all))) }
        (footer(reading, at))
    };
    let title = format!("all versions in {}", reading.title);
    Page { title: &title, location: at, styles: &["report.css"], scripts: &[], data: &[], body }
        .render()
}

fn numbers(reading: &LeagueReport) -> Markup {
    let league = &reading.league;
    let numbers = [
        (league.active().count() as u64, "bot"),
        (league.members().len() as u64, "version"),
        (league.games() + reading.open.unwrap_or_default(), "game"),
        (league.next_deal(), "deal"),
        (league.rounds().len() as u64, "round"),
    ];
    html! {
        dl.numbers { @for (number, what) in numbers {
            div { dt { (what) @if number != 1 { "s" } } dd { (number) } }
        } }
    }
}

/// The version of every bot that plays, or played last.
fn members(reading: &LeagueReport, bots: &LeagueBotLinks<'_>) -> Markup {
    let table = html! {
        table {
            caption { "active versions; " a href="versions.html" { "standings of all versions" } }
            thead { tr {
                th.word scope="col" { "bot" } th.word scope="col" { "status" } th.word scope="col" { "command" }
            } }
            tbody { @for member in reading.current() { tr {
                th.word scope="row" { (bots.name(&member.entry.bot.to_string())) }
                td.word { (membership(member)) }
                td.word.wide { code { (printable(&without_folders(&member.entry.command))) } }
            } } }
        }
    };
    html! {
        @if reading.names().is_empty() { p { "No bots yet: enter some with " code { "arbiter league add" } "." } }
        @else { (scrolled("Bots", table)) }
    }
}

fn refused(reading: &LeagueReport) -> Option<Markup> {
    let last = reading.refused.iter().rev().take(FEW);
    let table = html! {
        table.out {
            caption {
                "rejected bots, latest first"
                @if reading.refused.len() > FEW { ", " (FEW) " of " (reading.refused.len()) }
            }
            thead { tr { th.word scope="col" { "bot" } th.word scope="col" { "reason" } } }
            tbody { @for kept in last { tr {
                th.word scope="row" { (printable(&kept.refusal.name)) }
                td.word.wide { (printable(&without_folders(&kept.refusal.why))) }
            } } }
        }
    };
    (!reading.refused.is_empty()).then(|| scrolled("Rejected bots", table))
}

fn verify(reading: &LeagueReport) -> Markup {
    let (path, head) = (word(reading.title.as_ref()), reading.league.head());
    html! {
        p { "The head identifies the complete league log with all finished rounds: compare it with a value "
            "recorded earlier." }
        dl.facts {
            (rules_line(reading.league.kind()))
            @if let [_, ..] = reading.league.later_rules() {
                @if let Some(first) = reading.league.first_rules() { dt { "first rules" } dd { (rules_in_words(first)) } }
            }
            @for RulesPeriod { round, new } in reading.league.later_rules() {
                dt { "rules since round " (round) }
                dd { (rules_in_words(new.rules.id)) ": " (printable(&new.reason)) }
            }
            dt { "head" } dd { code.hash { (head) } }
        }
        p { "These commands recompute everything and explain the pairings:" }
        pre.commands {
            @for command in [
                format!("arbiter verify --head {head} {path}"),
                format!("arbiter league pairings {path}"),
                format!("arbiter league standings {path}"),
            ] { span { (command) "\n" } }
        }
    }
}
