//! The first page of a league, and the standings of all versions.

use maud::{Markup, html};
use text::printable;

use crate::html::layout::{Page, PageLocation, scrolled, section};
use crate::html::setup::{rules_in_words, rules_line};
use crate::html::standings;
use crate::league::frame::{LeagueBotLinks, footer, membership};
use crate::league::reading::{CROSSTABLE, LeagueReport};
use crate::league::{announcements, rounds, stages};
use league::output::games;
use league::state::RulesPeriod;
use text::counted;
use text::shell::without_folders;
use text::shell::word;

/// The most rounds and refusals on the first page.
const FEW: usize = 10;

pub(super) fn page(reading: &LeagueReport, at: PageLocation) -> Markup {
    let league = &reading.league;
    let active = league.active_in(&reading.all);
    let bots = LeagueBotLinks { reading, root: at.root() };
    let sections = [
        ("calendar", "Calendar", reading.announced.times()),
        ("standings", "Standings", Some(standings::section(&bots, &active))),
        ("corrections", "Corrections", corrections(reading)),
        ("exceptions", "Exceptions", exceptions(reading)),
        ("stage", "Stage", stages::latest(reading, &bots)),
        ("bots", "Bots", Some(members(reading, &bots))),
        ("rounds", "Rounds", Some(last_rounds(reading))),
        ("refused", "Rejected", refused(reading)),
        ("verify", "Verify", Some(verify(reading))),
    ];
    let sections: Vec<_> =
        sections.into_iter().filter_map(|(id, title, body)| Some((id, title, body?))).collect();
    let body = html! {
        header.top { div.wrap {
            p.kicker { "league · " (league.kind().name()) " · " (counted(league.seats(), "seat", "seats")) }
            h1 { (reading.title) }
            (status(reading))
            (numbers(reading))
            nav aria-label="Sections" {
                @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } }
                a href={ (at.root()) (CROSSTABLE) } { "Crosstable" }
                @if at.is_served() { a href={ (at.root()) "feed.atom" } { "Feed" } }
                @for link in at.links() { a href={ (at.root()) (link.href) } { (link.title) } }
            }
        } }
        main.wrap id="main" {
            (reading.announced.lines())
            @for (id, title, body) in sections { (section(id, title, body)) }
        }
        (footer(reading))
    };
    let scripts = &[announcements::SCRIPT];
    Page { title: &reading.title, location: at, styles: &[], scripts, data: &[], body }.render()
}

/// The bots that play against each other.
pub(super) fn crosstable(reading: &LeagueReport, at: PageLocation) -> Markup {
    let active = reading.league.active_in(&reading.all);
    let bots = LeagueBotLinks { reading, root: at.root() };
    let table = standings::crosstable(&bots, &active.all);
    let body = html! {
        header.top.slim { div.wrap {
            p.crumbs { a href="index.html" { "← League" } }
            h1 { "Crosstable" }
        } }
        main.wrap id="main" { (reading.announced.lines()) (section("crosstable", "Head-to-head results", html! {
            @match table {
                Some(table) => (table),
                None => p { "Two to " (standings::MOST_IN_CROSSTABLE) " bots with common games fit into the crosstable." },
            }
        })) }
        (footer(reading))
    };
    let title = format!("crosstable of {}", reading.title);
    Page { title: &title, location: at, styles: &[], scripts: &[], data: &[], body }.render()
}

/// The standings of all versions of all bots.
pub(super) fn versions(reading: &LeagueReport, at: PageLocation) -> Markup {
    let bots = LeagueBotLinks { reading, root: at.root() };
    let body = html! {
        header.top.slim { div.wrap {
            p.crumbs { a href="index.html" { "← League" } }
            h1 { "All versions" }
        } }
        main.wrap id="main" { (reading.announced.lines()) (section("standings", "Standings", standings::section(&bots, &reading.all))) }
        (footer(reading))
    };
    let title = format!("all versions in {}", reading.title);
    Page { title: &title, location: at, styles: &[], scripts: &[], data: &[], body }.render()
}

fn status(reading: &LeagueReport) -> Markup {
    html! {
        p.status {
            @match reading.is_running {
                true => span.badge.good { "running" },
                false => span.badge { "not running" },
            }
            @if let Some((round, played)) = reading.league.open_round().zip(reading.open) {
                " " a href={ "rounds/" (round.line.round) "/index.html" } { "round " (round.line.round) }
                ": " (played) " of " (counted(games(&round.line, reading.league.seats()), "game", "games"))
            }
        }
    }
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
    use crate::html::standings::BotLinks;
    let current = reading.names().into_iter().filter_map(|name| reading.league.current(name));
    let table = html! {
        table {
            caption { "versions that play; " a href="versions.html" { "standings of all versions" } }
            thead { tr {
                th.word scope="col" { "bot" } th.word scope="col" { "status" } th.word scope="col" { "command" }
            } }
            tbody { @for member in current { tr {
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

/// Participants who were treated differently, and why; none if there are none.
fn exceptions(reading: &LeagueReport) -> Option<Markup> {
    let all = reading.league.exceptions().all();
    let body = html! {
        p { "The organiser has treated these participants differently." }
        ul { @for it in all { li { (it.in_words(&reading.announced.calendar)) } } }
    };
    (!all.is_empty()).then_some(body)
}

/// Games that no longer count, and why; none where all of them count.
fn corrections(reading: &LeagueReport) -> Option<Markup> {
    let all = reading.league.corrections().all();
    let body = html! {
        p { "The standings leave out games that are void. All games stay in the log, and "
            code { "arbiter league standings --as-played" } " counts them." }
        ul { @for correction in all { li { (correction.in_words()) } } }
    };
    (!all.is_empty()).then_some(body)
}

fn last_rounds(reading: &LeagueReport) -> Markup {
    let all = reading.league.rounds();
    html! {
        @if all.is_empty() { p { "No rounds yet: play one with " code { "arbiter league run" } "." } }
        @else {
            (rounds::table(reading, all.iter().rev().take(FEW), "rounds/"))
            p.notes { a href="rounds/index.html" { "All rounds, pairings and reasons" } }
        }
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
