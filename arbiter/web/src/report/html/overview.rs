//! The first page of a source.

use maud::{Markup, html};

use crate::report::html::games::{self, Of};
use crate::report::html::layout::{Location, Page, section};
use crate::report::html::{figures, machines, out, proof, standings};
use crate::report::reading::{Reading, State};
use contest::tournament::folder::shown;
use text::counted;

/// The page.
pub(in crate::report) fn page(reading: &Reading, location: Location) -> Markup {
    let header = reading.series.header();
    let (out_title, out) = out::section(reading).unzip();
    let sections = [
        ("standings", "Standings", Some(standings::section(reading, &reading.standings))),
        ("crosstable", "Crosstable", standings::crosstable(reading, &reading.standings.all)),
        ("out", out_title.unwrap_or_default(), out),
        ("faults", "Faults", Some(figures::faults(reading))),
        ("seats", "Points by seat", Some(figures::seats(reading))),
        ("times", "Times", Some(figures::times(reading))),
        ("machines", "Machines", machines::machines(reading)),
        ("games", "Games", Some(games::list(reading, Of::All))),
        ("setup", "Setup", Some(proof::setup(reading))),
        ("verify", "Verify", Some(proof::verify(reading))),
    ];
    let sections: Vec<_> =
        sections.into_iter().filter_map(|(id, title, body)| Some((id, title, body?))).collect();
    let body = html! {
        header.top {
            div.wrap {
                @if let Some(above) = location.above() { p.crumbs { a href="../../index.html" { (above) } } }
                p.kicker { (header.game) " · " (header.options) }
                h1 { (title(reading)) }
                (status(reading))
                (numbers(reading))
                nav aria-label="Sections" {
                    @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } }
                    @for door in location.doors() { a href={ (location.root()) (door.way) } { (door.title) } }
                }
            }
        }
        main.wrap id="main" {
            @for (id, title, body) in sections { (section(id, title, body)) }
        }
        (footer(reading))
    };
    let title = title(reading);
    Page {
        title: &title,
        location,
        styles: &[],
        scripts: &games::SCRIPTS,
        data: &["data/index.js"],
        body,
    }
    .render()
}

/// What a source is called: the last part of its path, or which round of a league it is.
pub(super) fn title(reading: &Reading) -> String {
    let line = reading.series.header().tournament.as_ref();
    if let Some(league) = line.and_then(|line| line.league.as_ref()) {
        return format!("Round {}", league.round);
    }
    let name = reading.path.file_name().map(|name| shown(name.as_ref()));
    name.unwrap_or_else(|| shown(&reading.path))
}

/// How far the source is.
pub(super) fn state(reading: &Reading) -> Markup {
    let (played, games) = (reading.progress.played(), reading.series.header().games);
    let so_far = format!("{played} of {} so far", counted(games, "game", "games"));
    html! {
        @match &reading.state {
            State::Over { .. } => span.badge.good { "finished" },
            State::Continued => { span.badge.good { "extended" } " " (so_far) },
            State::Reading => { span.badge.warn { "being read" } " " (so_far) },
            State::Running => { span.badge.warn { "running" } " " (so_far) },
            State::Left { who } => {
                span.badge.warn { "left" } " " (who) " left the last game, which is not replayed;  "
                (so_far)
            },
            State::Unfinished if reading.progress.is_void() => {
                span.badge.bad { "stopped" } " " (so_far) "; the next one was void too often"
            },
            State::Unfinished => { span.badge.warn { "not finished" } " " (so_far) },
        }
    }
}

/// How far the source is, and what follows for what the page says.
fn status(reading: &Reading) -> Markup {
    html! {
        p.status {
            (state(reading))
            @if matches!(reading.state, State::Over { .. }) {
                " every move and result follows from the inputs"
                @if matches!(reading.state, State::Over { seed: Some(_) }) { ", every card from its seed" }
            }
        }
    }
}

fn numbers(reading: &Reading) -> Markup {
    let view = &reading.standings.all;
    let totals = &reading.totals;
    let suspect = totals.suspect().len() as u64;
    let people = reading.series.header().players.iter().filter(|it| it.is_person()).count() as u64;
    let bots = (view.rows.len() as u64).saturating_sub(people);
    let (disqualified, refused) =
        (out::disqualified(reading).len() as u64, reading.refused.len() as u64);
    let answers: u64 = reading.figures.bots.iter().map(|bot| bot.answers()).sum();
    let numbers = [
        (Some(people).filter(|it| *it > 0), "human player"),
        (Some(bots), "bot"),
        (Some(reading.progress.played()), "game"),
        (Some(view.deals), "deal"),
        (Some(answers), "answer"),
        (Some(view.forfeited).filter(|it| *it > 0), "forfeited game"),
        (Some(reading.progress.skipped()).filter(|it| *it > 0), "skipped game"),
        (Some(totals.given_up()).filter(|it| *it > 0), "game given up"),
        (Some(totals.played_again()).filter(|it| *it > 0), "void or repeated game"),
        (Some(suspect).filter(|it| *it > 0), "suspect game"),
        (Some(disqualified).filter(|it| *it > 0), "disqualified bot"),
        (Some(refused).filter(|it| *it > 0), "refused submission"),
    ];
    html! {
        dl.numbers {
            @for (number, what) in numbers {
                @if let Some(number) = number {
                    div { dt { (what) @if number != 1 { "s" } } dd { (number) } }
                }
            }
        }
    }
}

/// Below every page.
pub(super) fn footer(reading: &Reading) -> Markup {
    html! {
        footer { div.wrap {
            p { "Made by " b { "arbiter " (env!("CARGO_PKG_VERSION")) } " from a log of version "
                (reading.series.header().version) "."
                @if let Some(head) = reading.head { " Head " code { (head) } } }
        } }
    }
}
